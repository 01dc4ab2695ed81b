import type { ServerResponse } from "node:http";
import { FairQueue } from "../domain/fair-queue.ts";
import { FairShare } from "../domain/fair-share.ts";
import { Refusal } from "../domain/refusal.ts";

const placeBytes = 65_536;
const maxWaitMs = 10_000;

export interface AnswerRoomOptions {
  readonly maxBytes: number;
  /** Of those that find no room. */
  readonly maxWaitingBytes?: number;
  readonly greed?: number;
}

interface Guest {
  readonly organizationId: string;
  readonly places: number;
  readonly entered: PromiseWithResolvers<void>;
  isInside: boolean;
}

/** Memory for what is there until an answer has ended. Callers share it, and whoever finds no room waits for a while. */
export class AnswerRoom {
  readonly #share: FairShare;
  readonly #waitingShare: FairShare | undefined;
  readonly #waiting = new FairQueue<Guest>();

  constructor({ maxBytes, maxWaitingBytes, greed }: AnswerRoomOptions) {
    this.#share = new FairShare(maxBytes / placeBytes, greed);
    if (maxWaitingBytes !== undefined)
      this.#waitingShare = new FairShare(maxWaitingBytes / placeBytes, greed);
  }

  /** Until there is room for so much, which it has until the answer has ended. @throws Refusal where that takes too long */
  enter(caller: string, bytes: number, answer: ServerResponse): Promise<void> {
    const places = Math.ceil(bytes / placeBytes);
    const guest: Guest = {
      organizationId: caller,
      places,
      entered: Promise.withResolvers(),
      isInside: false,
    };
    if (answer.destroyed || !this.#mayWait(guest)) return Promise.reject(noRoom());
    const timer = setTimeout(() => this.#giveUp(guest), maxWaitMs);
    answer.once("close", () => {
      clearTimeout(timer);
      this.#leave(guest);
    });
    this.#waiting.add(guest);
    this.#letIn();
    return guest.entered.promise;
  }

  /** Whoever comes in at once has waited for no time. */
  #mayWait({ organizationId, places }: Guest): boolean {
    const share = this.#waitingShare;
    if (share?.take(organizationId, places)) return true;
    if (share && !this.#hasRoom({ organizationId, places })) return false;
    share?.hold(organizationId, places);
    return true;
  }

  #letIn(): void {
    for (;;) {
      const guest = this.#waiting.take(this.#share, (next) => this.#hasRoom(next));
      if (!guest) return;
      this.#waitingShare?.giveBack(guest.organizationId, guest.places);
      guest.isInside = true;
      this.#share.hold(guest.organizationId, guest.places);
      guest.entered.resolve();
    }
  }

  /** One may be larger than all the room there is. */
  #hasRoom({ organizationId, places }: Pick<Guest, "organizationId" | "places">): boolean {
    return this.#share.used === 0 || this.#share.roomFor(organizationId) >= places;
  }

  #giveUp(guest: Guest): void {
    if (!this.#waiting.remove(guest)) return;
    this.#waitingShare?.giveBack(guest.organizationId, guest.places);
    guest.entered.reject(noRoom());
  }

  #leave(guest: Guest): void {
    if (!guest.isInside) return this.#giveUp(guest);
    this.#share.giveBack(guest.organizationId, guest.places);
    this.#letIn();
  }
}

function noRoom(): Refusal {
  return new Refusal("service_unavailable", { retryAfterSeconds: 1 });
}
