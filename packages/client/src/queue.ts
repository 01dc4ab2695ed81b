import type { CallOptions, Transport } from "./transport.ts";
import type { QueueItem, QueueItemCanceled, QueueItemDetail } from "./wire.ts";

/** Runs that wait for a free slot. Every call names the organization. */
export class Queue {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Oldest first. */
  async list(organizationId: string, options: CallOptions = {}): Promise<readonly QueueItem[]> {
    const query = { "filter[organizationId]": organizationId };
    return (
      await this.#transport.call<{ data: QueueItem[] }>("GET", "/api/runs/queue", { ...options, query })
    ).data;
  }

  /** With its position while it waits, and its `runId` once it was dispatched. */
  async get(organizationId: string, queueId: string, options: CallOptions = {}): Promise<QueueItemDetail> {
    const query = { "filter[organizationId]": organizationId };
    const path = `/api/runs/queue/${encodeURIComponent(queueId)}`;
    return (await this.#transport.call<{ data: QueueItemDetail }>("GET", path, { ...options, query })).data;
  }

  async cancel(
    organizationId: string,
    queueId: string,
    options: CallOptions = {},
  ): Promise<QueueItemCanceled> {
    const query = { "filter[organizationId]": organizationId };
    const path = `/api/runs/queue/${encodeURIComponent(queueId)}`;
    return (await this.#transport.call<{ data: QueueItemCanceled }>("DELETE", path, { ...options, query }))
      .data;
  }
}
