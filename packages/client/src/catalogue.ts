import {
  listOf,
  type PagePromise,
  pageQuery,
  type PageRequest,
  pathOf,
  type RunFilter,
  runFilterQuery,
} from "./paging.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { Agent, Flow, FlowRun } from "./wire.ts";

export interface CatalogueRequest extends PageRequest {
  /** Only of this organization; without it of every one that the key reaches. */
  readonly organizationId?: string | undefined;
}

/** Metadata of flows; their graphs never leave the service. */
export class Flows {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(request: CatalogueRequest = {}, options: CallOptions = {}): PagePromise<Flow> {
    return listOf(this.#transport, "/api/flows", catalogueQuery(request), options);
  }

  get(flowId: string, options: CallOptions = {}): Promise<Flow> {
    return this.#transport.data("GET", pathOf("/api/flows", flowId), options);
  }

  /** The runs of one flow, newest first. */
  runs(
    flowId: string,
    request: RunFilter & PageRequest = {},
    options: CallOptions = {},
  ): PagePromise<FlowRun> {
    const query = { ...pageQuery(request), ...runFilterQuery(request) };
    return listOf(this.#transport, pathOf("/api/flows", flowId, "runs"), query, options);
  }
}

/** Metadata of agents; how they are designed never leaves the service. */
export class Agents {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(request: CatalogueRequest = {}, options: CallOptions = {}): PagePromise<Agent> {
    return listOf(this.#transport, "/api/agents", catalogueQuery(request), options);
  }

  /** `organizationId` is needed with a user key. */
  get(
    agentId: string,
    request: { readonly organizationId?: string | undefined } = {},
    options: CallOptions = {},
  ): Promise<Agent> {
    const query = { organizationId: request.organizationId };
    return this.#transport.data("GET", pathOf("/api/agents", agentId), { ...options, query });
  }
}

function catalogueQuery(request: CatalogueRequest) {
  return { organizationId: request.organizationId, ...pageQuery(request) };
}
