/** Of the budget: who holds less never waits. */
const smallShare = 1 / 1_024;
/** Of the budget: so much an organization may take on whatever the others hold. */
const modestShare = 1 / 64;
/** How much an organization may hold for each byte that it leaves free, as with places. */
const greed = 3;

/** What an organization holds. */
interface Account {
  bytes: number;
  holdings: number;
}

/**
 * Shares memory as the event loop shares time. Whoever holds much waits before it makes more, until there is room for its
 * organization. Nobody is asked to give anything back, so the one that has held much for longest never waits: it comes to
 * its end, and then the next one does.
 */
export class SharedMemory {
  readonly #budgetBytes: number;
  readonly #accounts = new Map<string, Account>();
  /** In the order in which they became large. */
  readonly #large = new Set<Holding>();
  readonly #waiting = new Map<Holding, PromiseWithResolvers<void>>();
  #bytes = 0;
  #isLooking = false;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get freeBytes(): number {
    return Math.max(0, this.#unusedBytes);
  }

  /** The one that never waits may hold more than all of the budget: that is not taken from the others. */
  get #unusedBytes(): number {
    const [first] = this.#large;
    return this.#budgetBytes - this.#bytes + (first?.bytes ?? 0);
  }

  open(organizationId: string): Holding {
    const account = this.#accounts.get(organizationId) ?? { bytes: 0, holdings: 0 };
    this.#accounts.set(organizationId, account);
    account.holdings += 1;
    return new Holding(this, organizationId, account);
  }

  /** Of those who hold something. */
  get organizationIds(): Iterable<string> {
    return this.#accounts.keys();
  }

  holdingsOf(organizationId: string): number {
    return this.#accounts.get(organizationId)?.holdings ?? 0;
  }

  /** What an organization may take on, one thing after the other, where what it has will come to hold `expectedBytes`. */
  leftFor(organizationId: string, expectedBytes: number): number {
    const bytes = this.#accounts.get(organizationId)?.bytes ?? 0;
    const held = Math.max(bytes, expectedBytes);
    const freeBytes = this.#unusedBytes + bytes - held;
    return Math.max(0, (greed * freeBytes - held) / (1 + greed), this.#budgetBytes * modestShare - held);
  }

  /** For holdings alone. */
  change(holding: Holding, bytes: number): void {
    holding.account.bytes += bytes;
    this.#bytes += bytes;
    const isLarge = holding.bytes > this.#budgetBytes * smallShare;
    if (isLarge !== holding.isLarge) {
      holding.isLarge = isLarge;
      if (isLarge) this.#large.add(holding);
      else this.#large.delete(holding);
    }
    if (bytes < 0) this.#lookAgain();
  }

  /** For holdings alone. */
  room(holding: Holding): Promise<void> | undefined {
    if (this.#mayGrow(holding)) return undefined;
    const waiting = this.#waiting.get(holding) ?? Promise.withResolvers<void>();
    this.#waiting.set(holding, waiting);
    return waiting.promise;
  }

  /** For holdings alone. */
  closed(holding: Holding): void {
    const { organizationId, account } = holding;
    account.holdings -= 1;
    if (account.holdings === 0) this.#accounts.delete(organizationId);
    this.#waiting.get(holding)?.resolve();
    this.#waiting.delete(holding);
    this.#lookAgain();
  }

  #mayGrow(holding: Holding): boolean {
    if (!holding.isLarge) return true;
    const [first] = this.#large;
    return holding === first || holding.account.bytes <= this.#mostBytes;
  }

  /** Of one organization. */
  get #mostBytes(): number {
    return Math.max(this.#budgetBytes * modestShare, greed * this.freeBytes);
  }

  /** Who goes on takes some of the room that there is: each has a turn of its own. */
  #lookAgain(): void {
    if (this.#isLooking || this.#waiting.size === 0) return;
    this.#isLooking = true;
    setImmediate(() => {
      this.#isLooking = false;
      for (const [holding, { resolve }] of this.#waiting) {
        if (!this.#mayGrow(holding)) continue;
        this.#waiting.delete(holding);
        resolve();
        this.#lookAgain();
        return;
      }
    });
  }
}

/** For whoever makes something that is to be kept. */
export interface MemoryPort {
  add(bytes: number): void;
  /** A Promise of the moment from which there may be more; `undefined` where that is now. */
  room(): Promise<void> | undefined;
}

/** What one run, or one answer that is being read, keeps in memory. */
export class Holding implements MemoryPort {
  readonly organizationId: string;
  readonly account: Account;
  bytes = 0;
  /** Of all its time. */
  mostBytes = 0;
  isLarge = false;
  readonly #memory: SharedMemory;

  constructor(memory: SharedMemory, organizationId: string, account: Account) {
    this.#memory = memory;
    this.organizationId = organizationId;
    this.account = account;
  }

  add(bytes: number): void {
    if (bytes === 0) return;
    this.bytes += bytes;
    if (this.bytes > this.mostBytes) this.mostBytes = this.bytes;
    this.#memory.change(this, bytes);
  }

  room(): Promise<void> | undefined {
    return this.#memory.room(this);
  }

  close(): void {
    this.add(-this.bytes);
    this.#memory.closed(this);
  }
}

/** Answers of upstreams while they are read for anybody but a run. A process has one memory, so there is one of these. */
export const answerMemory = new SharedMemory(64_000_000);
