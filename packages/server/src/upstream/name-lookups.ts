import { FairQueue } from "../domain/fair-queue.ts";
import { FairShare } from "../domain/fair-share.ts";
import { UpstreamError } from "./upstream-error.ts";

type Resolve = (name: string) => Promise<readonly string[]>;

interface Waiting {
  readonly organizationId: string;
  readonly start: () => void;
}

const maxWaitMs = 5_000;

/**
 * Look-ups of names, shared between organizations. Each holds one of the few threads that files and cryptography need as
 * well, for as long as the name's servers take, and cannot be called off.
 */
export class NameLookups {
  readonly #resolve: Resolve;
  readonly #places: FairShare;
  readonly #queue = new FairQueue<Waiting>();

  constructor(resolve: Resolve, capacity: number) {
    this.#resolve = resolve;
    this.#places = new FairShare(capacity);
  }

  async find(name: string, organizationId: string): Promise<readonly string[]> {
    await this.#place(organizationId);
    try {
      return await this.#resolve(name);
    } finally {
      this.#places.giveBack(organizationId);
      this.#startNext();
    }
  }

  #place(organizationId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#queue.remove(waiting);
        reject(new UpstreamError("ConnectTimeout", "Too many names are being looked up. Try again later."));
      }, maxWaitMs);
      const start = () => {
        clearTimeout(giveUp);
        resolve();
      };
      const waiting = { organizationId, start };
      this.#queue.add(waiting);
      this.#startNext();
    });
  }

  #startNext(): void {
    for (let next = this.#queue.next(this.#places); next; next = this.#queue.next(this.#places)) next.start();
  }
}
