import { listOf, type PagePromise, pathOf } from "../paging.ts";
import type { CallOptions, Transport } from "../transport.ts";
import type { EventDetail, ManagedEvent } from "../wire.ts";
import type { ManageRequest } from "./requests.ts";

export interface EventsRequest extends ManageRequest {
  /** `run.failed`, or a family: `run.*`. */
  readonly type?: string | undefined;
  readonly from?: Date | string | undefined;
  readonly pageSize?: number | undefined;
  readonly after?: string | undefined;
}

/** What has happened, while it is kept. */
export class ManagedEvents {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first; a page may be short and yet have a `next`. */
  list(request: EventsRequest = {}, options: CallOptions = {}): PagePromise<ManagedEvent> {
    const { organizationId, type, from, pageSize, after } = request;
    const filter = { "filter[type]": type, "filter[from]": from };
    const query = { organizationId, ...filter, "page[size]": pageSize, "page[after]": after };
    return listOf(this.#transport, "/manage/events", query, options);
  }

  /** As it is sent, and what became of it at each endpoint. */
  get(eventId: string, options: CallOptions = {}): Promise<EventDetail> {
    return this.#transport.data("GET", pathOf("/manage/events", eventId), options);
  }
}
