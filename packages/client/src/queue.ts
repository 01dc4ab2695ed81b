import { pathOf } from "./paging.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { QueueItem, QueueItemCanceled, QueueItemDetail } from "./wire.ts";

const ROOT = "/api/runs/queue";

/** Runs that wait for a free slot. Every call names the organization. */
export class Queue {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Oldest first. */
  list(organizationId: string, options: CallOptions = {}): Promise<readonly QueueItem[]> {
    return this.#transport.data("GET", ROOT, { ...options, query: scope(organizationId) });
  }

  /** With its position while it waits, and its `runId` once it was dispatched. */
  get(organizationId: string, queueId: string, options: CallOptions = {}): Promise<QueueItemDetail> {
    return this.#transport.data("GET", pathOf(ROOT, queueId), { ...options, query: scope(organizationId) });
  }

  cancel(organizationId: string, queueId: string, options: CallOptions = {}): Promise<QueueItemCanceled> {
    return this.#transport.data("DELETE", pathOf(ROOT, queueId), {
      ...options,
      query: scope(organizationId),
    });
  }
}

function scope(organizationId: string) {
  return { "filter[organizationId]": organizationId };
}
