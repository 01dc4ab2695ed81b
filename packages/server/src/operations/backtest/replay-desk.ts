import { FairShare } from "../../domain/fair-share.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Replay } from "../../domain/replay.ts";

const MAX_AT_ONCE = 8;

/** Replays that callers ask for: so many requests at once in a process, shared fairly. */
export class ReplayDesk {
  readonly replay: Replay;
  readonly #places = new FairShare(MAX_AT_ONCE);

  constructor(replay: Replay) {
    this.replay = replay;
  }

  /** @throws Refusal where others are at it; they are done within seconds */
  async take<T>(organizationId: string, work: (replay: Replay) => Promise<T>): Promise<T> {
    if (!this.#places.take(organizationId))
      throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
    try {
      return await work(this.replay);
    } finally {
      this.#places.giveBack(organizationId);
    }
  }
}
