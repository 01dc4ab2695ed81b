import { forgetSession, keepSession, readSession, type Session } from "../lib/session.ts";
import { requestData } from "./request.ts";

/** Exchanges the token of a sign-in link, or a pasted key, for a session; neither is kept here. */
export async function signIn(proof: { token: string } | { key: string }): Promise<void> {
  const { id, user, organizations } = await requestData<Session>("/manage/sessions", {
    method: "POST",
    body: proof,
  });
  keepSession({ id, user, organizations });
}

export async function signOut(): Promise<void> {
  const session = readSession();
  try {
    if (session)
      await requestData(`/manage/sessions/${encodeURIComponent(session.id)}`, { method: "DELETE" });
  } finally {
    forgetSession();
  }
}
