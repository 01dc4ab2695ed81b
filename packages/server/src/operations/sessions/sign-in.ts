import type { IdMaker } from "../../domain/ids.ts";
import { type Principal, requireActive } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { hashToken, looksLikeSecretToken, makeSecretToken } from "../../domain/session-token.ts";
import { type Db, type Pool, transaction } from "../../storage/pool.ts";
import { findSessionPrincipals } from "../../storage/sessions/find-session-principals.ts";
import { insertSession, type NewSession } from "../../storage/sessions/insert-session.ts";
import { useSignInLink } from "../../storage/sessions/sign-in-links.ts";
import { recordAudit } from "../audit/record-audit.ts";

export interface SignInContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
}

/** Where somebody signs in from. */
export interface SignInPlace {
  readonly address: string;
  readonly userAgent: string | undefined;
}

export interface OpenedSession {
  readonly id: string;
  /** For the cookie alone; only its hash is kept. */
  readonly token: string;
  readonly method: NewSession["method"];
  readonly principal: Principal;
  readonly expiresAt: Date;
}

const MAX_USER_AGENT = 300;

/** A sign-in link, which works once; undefined for one that is not known, was used or is too old. */
export async function signInByLink(
  { pool, ids }: SignInContext,
  linkToken: string,
  place: SignInPlace,
): Promise<OpenedSession | undefined> {
  if (!looksLikeSecretToken(linkToken)) return undefined;
  return transaction(pool, async (db) => {
    const userId = await useSignInLink(db, hashToken(linkToken));
    if (userId === undefined) return undefined;
    return openSession(db, ids, { userId, method: "link", keyId: undefined }, place);
  });
}

/** A session that reaches what the key reaches, and ends with it. */
export async function signInByKey(
  { pool, ids }: SignInContext,
  principal: Principal,
  place: SignInPlace,
): Promise<OpenedSession> {
  requireActive(principal);
  const who = { userId: principal.user.id, method: "key", keyId: principal.keyId } as const;
  return transaction(pool, (db) => openSession(db, ids, who, place));
}

export async function openSession(
  db: Db,
  ids: IdMaker,
  { userId, method, keyId }: Pick<NewSession, "userId" | "method" | "keyId">,
  { address, userAgent }: SignInPlace,
): Promise<OpenedSession> {
  const token = makeSecretToken();
  const hash = hashToken(token);
  const id = ids.make("login");
  const agent = userAgent?.slice(0, MAX_USER_AGENT);
  const expiresAt = await insertSession(db, { id, hash, userId, method, keyId, address, userAgent: agent });
  const [principal] = await findSessionPrincipals(db, [hash]);
  if (!principal) throw new Refusal("unauthorized");
  requireActive(principal);
  const actor = { userId, via: "session", viaId: id, address } as const;
  const after = { method, ...(keyId !== undefined && { keyId }) };
  await recordAudit(
    { db, ids },
    actor,
    ...[...principal.organizations.keys()].map((organizationId) => ({
      organizationId,
      action: "session.create",
      target: id,
      after,
    })),
  );
  return { id, token, method, principal, expiresAt };
}
