import type { ServerResponse } from "node:http";
import { FairQueue } from "../domain/fair-queue.ts";
import { FairShare } from "../domain/fair-share.ts";
import { Refusal } from "../domain/refusal.ts";

/** What a list in a list in a list takes, each with two letters in the text. */
const bytesPerValue = 56;
const placeBytes = 65_536;
const maxAtOnceBytes = 32 * 1_048_576;
const maxWaitMs = 10_000;

interface Body {
  readonly organizationId: string;
  readonly places: number;
  readonly room: PromiseWithResolvers<void>;
  isInside: boolean;
}

/** Whether so many values of one body are worth a place. */
export function areManyValues(values: number): boolean {
  return values * bytesPerValue > placeBytes;
}

/**
 * Of small values a body becomes thirty times as long when it is parsed. Only so much of that is there at once: whoever brings
 * more waits, as a text, until the bodies before it are answered, and callers share the room.
 */
export class ParsedBodies {
  readonly #share = new FairShare(maxAtOnceBytes / placeBytes);
  readonly #waiting = new FairQueue<Body>();

  /** Until there is room for so many values, which they have until the answer has ended. @throws Refusal where that takes too long */
  enter(caller: string, values: number, answer: ServerResponse): Promise<void> {
    const places = Math.ceil((values * bytesPerValue) / placeBytes);
    const room = Promise.withResolvers<void>();
    const body: Body = { organizationId: caller, places, room, isInside: false };
    const timer = setTimeout(() => this.#giveUp(body), maxWaitMs);
    answer.once("close", () => {
      clearTimeout(timer);
      this.#leave(body);
    });
    this.#waiting.add(body);
    this.#letIn();
    return room.promise;
  }

  #letIn(): void {
    for (;;) {
      const body = this.#waiting.take(this.#share, (next) => this.#hasRoom(next));
      if (!body) return;
      body.isInside = true;
      this.#share.hold(body.organizationId, body.places);
      body.room.resolve();
    }
  }

  /** A body may be larger than all the room there is. */
  #hasRoom({ organizationId, places }: Body): boolean {
    return this.#share.used === 0 || this.#share.roomFor(organizationId) >= places;
  }

  #giveUp(body: Body): void {
    if (this.#waiting.remove(body))
      body.room.reject(new Refusal("service_unavailable", { retryAfterSeconds: 1 }));
  }

  #leave(body: Body): void {
    if (!body.isInside) return this.#giveUp(body);
    this.#share.giveBack(body.organizationId, body.places);
    this.#letIn();
  }
}
