import { type FreshCache, freshCache, type Stopwatch } from "../../domain/fresh-cache.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { hashToken } from "../../domain/session-token.ts";
import { findMemberPrincipal } from "../../storage/auth/find-member-principal.ts";
import type { Db } from "../../storage/pool.ts";
import type { AccessTokenReader, TokenHolder } from "../../upstream/open-id/access-token.ts";

export interface AccessTokensOptions {
  readonly db: Db;
  readonly reader: AccessTokenReader;
  /** The address of what tokens have to be for. */
  readonly resource: () => string;
  readonly nowMs: () => number;
  readonly clock?: Stopwatch;
}

// Who somebody is here is as fresh as with keys.
const FRESH_MS = 4_000;
// What the provider said of a token: it is asked about one once a minute.
const TOLD_MS = 60_000;
const MAX_TOKENS = 10_000;
/** Look-ups of different tokens at once; whoever invents tokens has the provider asked about no more at a time. */
const MAX_UNDER_WAY = 100;

/** Turns an access token of the OpenID Connect provider into the member whose verified address it is for. */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  readonly #holders: FreshCache<TokenHolder>;
  readonly #members: FreshCache<Principal>;
  /** Apart from the good ones, so that guesses never push those out. */
  readonly #bad: FreshCache<true>;
  readonly #underWay = new Map<string, Promise<Principal | undefined>>();

  constructor(options: AccessTokensOptions) {
    this.#options = options;
    const { clock = performance } = options;
    this.#holders = freshCache({ maxEntries: MAX_TOKENS, freshMs: TOLD_MS, clock });
    this.#members = freshCache({ maxEntries: MAX_TOKENS, freshMs: FRESH_MS, clock });
    this.#bad = freshCache({ maxEntries: MAX_TOKENS, freshMs: FRESH_MS, clock });
  }

  /** The answer at once where it is known, null where it has to be looked up. */
  known(token: string): Principal | undefined | null {
    const hash = hashOf(token);
    const member = this.#members.get(hash);
    if (member) return this.#ifAlive(member);
    return this.#bad.has(hash) ? undefined : null;
  }

  /** Callers who bring the same token meanwhile share the answer. A token of somebody who is no member is refused. */
  async lookUp(token: string): Promise<Principal | undefined> {
    const hash = hashOf(token);
    let lookUp = this.#underWay.get(hash);
    if (!lookUp) {
      if (this.#underWay.size >= MAX_UNDER_WAY)
        throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
      lookUp = this.#find(token, hash).finally(() => this.#underWay.delete(hash));
      this.#underWay.set(hash, lookUp);
    }
    return this.#ifAlive(await lookUp);
  }

  async #find(token: string, hash: string): Promise<Principal | undefined> {
    const holder = this.#holders.get(hash) ?? (await this.#read(token, hash));
    if (!holder) return undefined;
    const { email, emailVerified } = holder;
    const member =
      email !== undefined && emailVerified
        ? await findMemberPrincipal(this.#options.db, { ...holder, email })
        : undefined;
    if (!member) throw new Refusal("not_a_member");
    this.#members.set(hash, member);
    return member;
  }

  async #read(token: string, hash: string): Promise<TokenHolder | undefined> {
    const { reader, resource, nowMs } = this.#options;
    try {
      const holder = await reader.read(token, { resource: resource(), now: new Date(nowMs()) });
      if (holder) this.#holders.set(hash, holder);
      else this.#bad.set(hash, true);
      return holder;
    } catch {
      // A provider that cannot be reached is nobody's fault here.
      throw new Refusal("sign_in_provider_unavailable");
    }
  }

  #ifAlive(member: Principal | undefined): Principal | undefined {
    return member && member.expiresAt.getTime() > this.#options.nowMs() ? member : undefined;
  }
}

/** Tokens are long, and nobody should find one in this process. */
function hashOf(token: string): string {
  return hashToken(token).toString("base64url");
}
