import { hashApiKey, looksLikeApiKey } from "../../domain/api-key.ts";
import type { Principal } from "../../domain/principal.ts";
import { findPrincipal } from "../../storage/auth/find-principal.ts";
import { touchKeys } from "../../storage/auth/touch-keys.ts";
import type { Db } from "../../storage/pool.ts";

// Revocation holds everywhere within five seconds, because no process trusts an answer for longer than four.
const FRESH_MS = 4_000;
const MAX_ENTRIES = 50_000;

interface Entry {
  readonly principal: Principal | undefined;
  readonly freshUntilMs: number;
}

/** Turns a key into a principal. A warm key costs a look into a map, no query. */
export class Authenticator {
  readonly #db: Db;
  readonly #nowMs: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Promise<Principal | undefined>>();
  #lastUsed = new Map<string, Date>();

  constructor(db: Db, nowMs: () => number) {
    this.#db = db;
    this.#nowMs = nowMs;
  }

  /** The answer at once where it is known, null where it has to be looked up. */
  known(key: string): Principal | undefined | null {
    const entry = this.#entries.get(key);
    if (entry && entry.freshUntilMs >= performance.now()) return this.#ifAlive(entry.principal);
    return looksLikeApiKey(key) ? null : undefined;
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
    const principal = await findPrincipal(this.#db, hashApiKey(key));
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear();
    this.#entries.set(key, { principal, freshUntilMs });
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
