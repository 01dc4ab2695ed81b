import { hashToken, makeSecretToken } from "../../domain/session-token.ts";
import type { Db } from "../../storage/pool.ts";
import { findFirstOwner, insertSignInLink } from "../../storage/sessions/sign-in-links.ts";

export interface SignInLink {
  /** In the fragment: browsers send it to nobody, and no log sees it. */
  readonly url: string;
  readonly expiresAt: Date;
}

/** A link that signs in as the first owner, once and for ten minutes; undefined where there is no owner yet. */
export async function makeSignInLink(db: Db, address: string): Promise<SignInLink | undefined> {
  const userId = await findFirstOwner(db);
  if (userId === undefined) return undefined;
  const token = makeSecretToken();
  const expiresAt = await insertSignInLink(db, { hash: hashToken(token), userId });
  return { url: `${address}/console/login#${token}`, expiresAt };
}
