import { Refusal } from "../../domain/refusal.ts";
import { transaction } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import { findMemberByEmail } from "../../storage/sessions/find-member-by-email.ts";
import type { OpenIdChecks, OpenIdSignIn } from "../../upstream/open-id/sign-in.ts";
import { type OpenedSession, openSession, type SignInContext, type SignInPlace } from "./sign-in.ts";

export interface OpenIdContext extends SignInContext {
  readonly openId: OpenIdSignIn;
  readonly secrets: SecretBox;
  /** Where the provider sends the browser back to. */
  readonly redirectUri: () => string;
}

const PLACE = "console|open-id";

export interface OpenIdStart {
  readonly url: string;
  /** Sealed: for the browser to bring back. */
  readonly checks: string;
}

export async function beginOpenId({ openId, secrets, redirectUri }: OpenIdContext): Promise<OpenIdStart> {
  const { url, checks } = await reachable(() => openId.begin(redirectUri()));
  return { url: url.href, checks: secrets.seal(PLACE, JSON.stringify(checks)) };
}

/** Undefined where this browser did not begin it, or the provider did not say yes. Only members get in. */
export async function endOpenId(
  { openId, secrets, redirectUri, pool, ids }: OpenIdContext,
  { query, checks }: { readonly query: string; readonly checks: string | undefined },
  place: SignInPlace,
): Promise<OpenedSession | undefined> {
  const known = checks === undefined ? undefined : opened(secrets, checks);
  if (!known) return undefined;
  const person = await reachable(() => openId.end(new URL(`${redirectUri()}${query}`), known));
  if (!person) return undefined;
  const { email, emailVerified } = person;
  return transaction(pool, async (db) => {
    const userId = email !== undefined && emailVerified ? await findMemberByEmail(db, email) : undefined;
    if (userId === undefined) throw new Refusal("not_a_member");
    return openSession(db, ids, { userId, method: "oidc", keyId: undefined }, place);
  });
}

function opened(secrets: SecretBox, checks: string): OpenIdChecks | undefined {
  try {
    return JSON.parse(secrets.open(PLACE, checks)) as OpenIdChecks;
  } catch {
    return undefined;
  }
}

/** A provider that cannot be reached is nobody's fault here. */
async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal("sign_in_provider_unavailable");
  }
}
