import { looksLikeApiKey } from "../../domain/api-key.ts";
import { type FreshCache, freshCache, type Stopwatch } from "../../domain/fresh-cache.ts";
import type { Principal } from "../../domain/principal.ts";
import { hashToken, looksLikeSecretToken } from "../../domain/session-token.ts";
import { findPrincipals } from "../../storage/auth/find-principals.ts";
import { touchKeys } from "../../storage/auth/touch-keys.ts";
import { GroupCommit } from "../../storage/group-commit.ts";
import type { Db } from "../../storage/pool.ts";
import { findSessionPrincipals } from "../../storage/sessions/find-session-principals.ts";
import { touchSessions } from "../../storage/sessions/touch-sessions.ts";

// Revocation holds everywhere within five seconds, because no process trusts an answer for longer than four.
const FRESH_MS = 4_000;
const MAX_GOOD = 50_000;
const MAX_BAD = 10_000;
// However many keys are guessed, two statements at a time look them up: guessing costs the database next to nothing, and
// a good key among them waits for one of these.
const LOOK_UPS = { maxItems: 100, maxUnderWay: 2 };

/** What is proved: an API key, or the secret of a console session. Both are kept as SHA-256. */
interface Proof {
  /** Form alone: what was invented or mistyped costs no query. */
  looksLikeOne(text: string): boolean;
  find(db: Db, hashes: readonly Buffer[]): Promise<(Principal | undefined)[]>;
  idOf(principal: Principal): string | undefined;
  touch(db: Db, usedAt: ReadonlyMap<string, Date>): Promise<void>;
}

const keyProof: Proof = {
  looksLikeOne: looksLikeApiKey,
  find: findPrincipals,
  idOf: ({ keyId }) => keyId,
  touch: touchKeys,
};

export const sessionProof: Proof = {
  looksLikeOne: looksLikeSecretToken,
  find: findSessionPrincipals,
  idOf: ({ sessionId }) => sessionId,
  touch: touchSessions,
};

/** Turns a key or a session's secret into a principal. A warm one costs a look into a cache, no query. */
export class Authenticator {
  readonly #db: Db;
  readonly #nowMs: () => number;
  readonly #clock: Stopwatch;
  readonly #proof: Proof;
  readonly #good: FreshCache<Principal>;
  /** Apart from the good ones, so that guesses never push those out. */
  readonly #bad: FreshCache<true>;
  readonly #lookUps: GroupCommit<Buffer, Principal | undefined>;
  readonly #underWay = new Map<string, Promise<Principal | undefined>>();
  #lastUsed = new Map<string, Date>();

  constructor(db: Db, nowMs: () => number, proof: Proof = keyProof, clock: Stopwatch = performance) {
    this.#db = db;
    this.#proof = proof;
    this.#nowMs = nowMs;
    this.#clock = clock;
    this.#good = freshCache({ maxEntries: MAX_GOOD, freshMs: FRESH_MS, clock });
    this.#bad = freshCache({ maxEntries: MAX_BAD, freshMs: FRESH_MS, clock });
    this.#lookUps = new GroupCommit((hashes) => proof.find(db, hashes), LOOK_UPS);
  }

  /** The answer at once where it is known, null where it has to be looked up. */
  known(key: string): Principal | undefined | null {
    const principal = this.#good.get(key);
    if (principal) return this.#ifAlive(principal);
    return !this.#proof.looksLikeOne(key) || this.#bad.has(key) ? undefined : null;
  }

  /** Asks the database; callers who ask for the same key meanwhile share the answer. */
  async lookUp(key: string): Promise<Principal | undefined> {
    let lookup = this.#underWay.get(key);
    if (!lookup) {
      lookup = this.#fetch(key).finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, lookup);
    }
    return this.#ifAlive(await lookup);
  }

  async #fetch(key: string): Promise<Principal | undefined> {
    // As old as the question, not as the answer.
    const start = this.#clock.now();
    const principal = await this.#lookUps.add(hashToken(key));
    this.#good.delete(key);
    this.#bad.delete(key);
    if (principal) this.#good.set(key, principal, { start });
    else this.#bad.set(key, true, { start });
    return principal;
  }

  #ifAlive(principal: Principal | undefined): Principal | undefined {
    if (!principal || principal.expiresAt.getTime() <= this.#nowMs()) return undefined;
    return principal;
  }

  noteUse(principal: Principal): void {
    const id = this.#proof.idOf(principal);
    if (id !== undefined && !this.#lastUsed.has(id)) this.#lastUsed.set(id, new Date(this.#nowMs()));
  }

  /** Called about once a minute and at the end. */
  async flushLastUsed(): Promise<void> {
    if (this.#lastUsed.size === 0) return;
    const used = this.#lastUsed;
    this.#lastUsed = new Map();
    await this.#proof.touch(this.#db, used);
  }
}
