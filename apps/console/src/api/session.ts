import { useQuery } from "@tanstack/react-query";
import { forgetSession, keepSession, readSession, type Session } from "../lib/session.ts";
import { requestData } from "./request.ts";
import type { Page } from "./runs.ts";

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

const AWAY = "millrace.away";

/** Noted before the browser goes to the provider: it comes back with a cookie, and with nothing that we could read. */
export function leaveForProvider(): void {
  sessionStorage.setItem(AWAY, "1");
}

/** After the way back from the provider: who has signed in there. */
export async function takeUpSession(): Promise<boolean> {
  if (sessionStorage.getItem(AWAY) === null) return false;
  sessionStorage.removeItem(AWAY);
  try {
    const [{ user }, organizations, sessions] = await Promise.all([
      requestData<Pick<Session, "user">>("/api/auth/validate"),
      requestData<Page<Session["organizations"][number]>>("/manage/organizations"),
      requestData<Page<{ id: string; current: boolean }>>("/manage/sessions"),
    ]);
    keepSession({
      id: sessions.data.find(({ current }) => current)?.id ?? "",
      user,
      organizations: organizations.data.map(({ id, role }) => ({ id, role })),
    });
    return true;
  } catch {
    return false;
  }
}

/** How one can sign in here, beside a link and a key. */
export function useSignInMethods() {
  return useQuery({
    queryKey: ["methods"],
    queryFn: ({ signal }) =>
      requestData<{ methods: readonly string[] }>("/manage/sessions/methods", { signal }),
    staleTime: Infinity,
  });
}
