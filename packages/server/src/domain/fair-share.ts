/** How many places one organization may hold for each that it leaves free. */
const DEFAULT_GREED = 3;

/** The room of organizations that hold places, for statements that choose among all that want some. */
export interface SharedRoom {
  /** For whoever is not named below. */
  readonly newcomer: number;
  readonly greed: number;
  readonly organizationIds: readonly string[];
  readonly rooms: readonly number[];
}

/**
 * Places that organizations share, and that may be held for minutes. Nobody is asked to give one back, so some always stay
 * free: an organization takes more only while it holds at most `greed` times what it leaves free. Alone it gets
 * greed/(1 + greed) of all; K that want everything get greed/(1 + greed·K) each, and as many as 1/(1 + greed·K) of all
 * are left for those who hold none. Only one that holds none may take the last place.
 */
export class FairShare {
  readonly capacity: number;
  readonly #greed: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  constructor(capacity: number, greed = DEFAULT_GREED) {
    this.capacity = capacity;
    this.#greed = greed;
  }

  get used(): number {
    return this.#used;
  }

  get free(): number {
    return Math.max(0, this.capacity - this.#used);
  }

  heldBy(organizationId: string): number {
    return this.#held.get(organizationId) ?? 0;
  }

  /** How many places an organization may take now, one after the other. */
  roomFor(organizationId: string): number {
    const held = this.heldBy(organizationId);
    const { free } = this;
    if (free === 0) return 0;
    const room = Math.floor((this.#greed * free + 1 - held) / (this.#greed + 1));
    return Math.max(held === 0 ? 1 : 0, Math.min(room, free));
  }

  /** Whether somebody who holds places may take no more. */
  get limitsSomebody(): boolean {
    return this.free === 0 || [...this.#held.keys()].some((id) => this.roomFor(id) === 0);
  }

  rooms(): SharedRoom {
    const organizationIds = [...this.#held.keys()];
    return {
      newcomer: this.roomFor(""),
      greed: this.#greed,
      organizationIds,
      rooms: organizationIds.map((id) => this.roomFor(id)),
    };
  }

  /** False where the organization has its share. */
  take(organizationId: string, places = 1): boolean {
    if (this.roomFor(organizationId) < places) return false;
    this.hold(organizationId, places);
    return true;
  }

  /** Counts places that were given elsewhere, whatever the share. */
  hold(organizationId: string, places = 1): void {
    this.#used += places;
    this.#held.set(organizationId, this.heldBy(organizationId) + places);
  }

  giveBack(organizationId: string, places = 1): void {
    const held = this.heldBy(organizationId);
    if (held < places) throw new Error(`${organizationId} holds no place.`);
    this.#used -= places;
    if (held === places) this.#held.delete(organizationId);
    else this.#held.set(organizationId, held - places);
  }
}
