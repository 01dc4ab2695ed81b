import { hashApiKey, looksLikeApiKey } from "../../domain/api-key.ts";
import { type FreshCache, freshCache, type Stopwatch } from "../../domain/fresh-cache.ts";
import type { Principal } from "../../domain/principal.ts";
import { findPrincipals } from "../../storage/auth/find-principals.ts";
import { touchKeys } from "../../storage/auth/touch-keys.ts";
import { GroupCommit } from "../../storage/group-commit.ts";
import type { Db } from "../../storage/pool.ts";

// Revocation holds everywhere within five seconds, because no process trusts an answer for longer than four.
const FRESH_MS = 4_000;
const MAX_GOOD = 50_000;
const MAX_BAD = 10_000;
// However many keys are guessed, two statements at a time look them up: guessing costs the database next to nothing, and
// a good key among them waits for one of these.
const LOOK_UPS = { maxItems: 100, maxUnderWay: 2 };

/** Turns a key into a principal. A warm key costs a look into a cache, no query. */
export class Authenticator {
  readonly #db: Db;
  readonly #nowMs: () => number;
  readonly #clock: Stopwatch;
  readonly #good: FreshCache<Principal>;
  /** Apart from the good ones, so that guesses never push those out. */
  readonly #bad: FreshCache<true>;
  readonly #lookUps: GroupCommit<Buffer, Principal | undefined>;
  readonly #underWay = new Map<string, Promise<Principal | undefined>>();
  #lastUsed = new Map<string, Date>();

  constructor(db: Db, nowMs: () => number, clock: Stopwatch = performance) {
    this.#db = db;
    this.#nowMs = nowMs;
    this.#clock = clock;
    this.#good = freshCache({ maxEntries: MAX_GOOD, freshMs: FRESH_MS, clock });
    this.#bad = freshCache({ maxEntries: MAX_BAD, freshMs: FRESH_MS, clock });
    this.#lookUps = new GroupCommit((hashes) => findPrincipals(db, hashes), LOOK_UPS);
  }

  /** The answer at once where it is known, null where it has to be looked up. */
  known(key: string): Principal | undefined | null {
    const principal = this.#good.get(key);
    if (principal) return this.#ifAlive(principal);
    return !looksLikeApiKey(key) || this.#bad.has(key) ? undefined : null;
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
    const principal = await this.#lookUps.add(hashApiKey(key));
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
    if (!this.#lastUsed.has(principal.keyId)) this.#lastUsed.set(principal.keyId, new Date(this.#nowMs()));
  }

  /** Called about once a minute and at the end. */
  async flushLastUsed(): Promise<void> {
    if (this.#lastUsed.size === 0) return;
    const used = this.#lastUsed;
    this.#lastUsed = new Map();
    await touchKeys(this.#db, used);
  }
}
