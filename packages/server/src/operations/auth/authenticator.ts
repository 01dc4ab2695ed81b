import { hashApiKey, looksLikeApiKey } from "../../domain/api-key.ts";
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

interface Entry {
  readonly principal: Principal;
  readonly freshUntilMs: number;
}

/** Turns a key into a principal. A warm key costs a look into a map, no query. */
export class Authenticator {
  readonly #db: Db;
  readonly #nowMs: () => number;
  readonly #good = new Map<string, Entry>();
  /** When they may be asked for again; apart from the good ones, so that guesses never push those out. */
  readonly #bad = new Map<string, number>();
  readonly #lookUps: GroupCommit<Buffer, Principal | undefined>;
  readonly #underWay = new Map<string, Promise<Principal | undefined>>();
  #lastUsed = new Map<string, Date>();

  constructor(db: Db, nowMs: () => number) {
    this.#db = db;
    this.#nowMs = nowMs;
    this.#lookUps = new GroupCommit((hashes) => findPrincipals(db, hashes), LOOK_UPS);
  }

  /** The answer at once where it is known, null where it has to be looked up. */
  known(key: string): Principal | undefined | null {
    const entry = this.#good.get(key);
    if (entry && entry.freshUntilMs >= performance.now()) return this.#ifAlive(entry.principal);
    if (!looksLikeApiKey(key)) return undefined;
    return (this.#bad.get(key) ?? 0) >= performance.now() ? undefined : null;
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
    const freshUntilMs = performance.now() + FRESH_MS;
    const principal = await this.#lookUps.add(hashApiKey(key));
    this.#good.delete(key);
    this.#bad.delete(key);
    if (principal) put(this.#good, key, { principal, freshUntilMs }, MAX_GOOD);
    else put(this.#bad, key, freshUntilMs, MAX_BAD);
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

/** As the newest; the oldest goes where there are too many. */
function put<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  if (map.size >= max) map.delete(map.keys().next().value!);
  map.set(key, value);
}
