import { type Page, pageQuery, type PageRequest, type RunFilter, runFilterQuery } from "./paging.ts";
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

  list(request: CatalogueRequest = {}, options: CallOptions = {}): Promise<Page<Flow>> {
    return listOf<Flow>(this.#transport, "/api/flows", request, options);
  }

  async get(flowId: string, options: CallOptions = {}): Promise<Flow> {
    const path = `/api/flows/${encodeURIComponent(flowId)}`;
    return (await this.#transport.call<{ data: Flow }>("GET", path, options)).data;
  }

  /** The runs of one flow, newest first. */
  async runs(
    flowId: string,
    request: RunFilter & PageRequest = {},
    options: CallOptions = {},
  ): Promise<Page<FlowRun>> {
    const path = `/api/flows/${encodeURIComponent(flowId)}/runs`;
    const query = { ...pageQuery(request), ...runFilterQuery(request) };
    return (await this.#transport.call<{ data: Page<FlowRun> }>("GET", path, { ...options, query })).data;
  }
}

/** Metadata of agents; how they are designed never leaves the service. */
export class Agents {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(request: CatalogueRequest = {}, options: CallOptions = {}): Promise<Page<Agent>> {
    return listOf<Agent>(this.#transport, "/api/agents", request, options);
  }

  /** `organizationId` is needed with a user key. */
  async get(
    agentId: string,
    request: { readonly organizationId?: string | undefined } = {},
    options: CallOptions = {},
  ): Promise<Agent> {
    const path = `/api/agents/${encodeURIComponent(agentId)}`;
    const query = { organizationId: request.organizationId };
    return (await this.#transport.call<{ data: Agent }>("GET", path, { ...options, query })).data;
  }
}

async function listOf<Item>(
  transport: Transport,
  path: string,
  request: CatalogueRequest,
  options: CallOptions,
): Promise<Page<Item>> {
  const query = { organizationId: request.organizationId, ...pageQuery(request) };
  const answer = await transport.call<{ data: Item[]; pagination?: Page<Item>["pagination"] }>("GET", path, {
    ...options,
    query,
  });
  return { data: answer.data, pagination: answer.pagination ?? {} };
}
