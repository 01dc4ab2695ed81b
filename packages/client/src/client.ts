import { Agents, Flows } from "./catalogue.ts";
import { Jobs } from "./jobs.ts";
import { Manage } from "./manage.ts";
import { Deploys } from "./deploys.ts";
import { Queue } from "./queue.ts";
import { Runs } from "./runs.ts";
import { Sessions } from "./sessions.ts";
import { type CallOptions, type ClientOptions, Transport } from "./transport.ts";
import type { Identity } from "./wire.ts";

export { MillraceError } from "./error.ts";
export type { Agents, CatalogueRequest, Flows } from "./catalogue.ts";
export type { DeleteFlowRequest, Deploys, OrganizationRequest } from "./deploys.ts";
export type { ErrorDetails } from "./error.ts";
export type { Manage } from "./manage.ts";
export type { AuditRequest, ManageListRequest, ManageRequest } from "./manage-requests.ts";
export type { Page, PageRequest, RunFilter } from "./paging.ts";
export type { Queue } from "./queue.ts";
export type { CancelRunOptions, Runs, RunsRequest, RunStart, RunStreamOptions } from "./runs.ts";
export type { ChatEvent, ResumeStreamRequest, Sessions } from "./sessions.ts";
export type { CallOptions, ClientOptions } from "./transport.ts";
export type * from "./wire.ts";

/**
 * The whole API of a Millrace service, typed and without dependencies. Every failure is a `MillraceError`; an abort
 * through `signal` is the caller's own.
 *
 * @example
 * const millrace = new MillraceClient({ baseUrl: "http://127.0.0.1:4000", apiKey });
 * const started = await millrace.runs.trigger({ payload: { flowId: "flow_hello" } });
 * if (started.status !== "queued") console.log((await millrace.runs.wait(started.id)).output);
 */
export class MillraceClient {
  readonly flows: Flows;
  readonly runs: Runs;
  readonly queue: Queue;
  readonly jobs: Jobs;
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly manage: Manage;
  readonly deploys: Deploys;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.flows = new Flows(transport);
    this.runs = new Runs(transport);
    this.queue = new Queue(transport);
    this.jobs = new Jobs(transport);
    this.agents = new Agents(transport);
    this.sessions = new Sessions(transport);
    this.manage = new Manage(transport);
    this.deploys = new Deploys(transport);
  }

  /** Who the key belongs to; refused with status 401 where it is not valid. */
  async validate(options: CallOptions = {}): Promise<Identity> {
    return (await this.#transport.call<{ data: Identity }>("GET", "/api/auth/validate", options)).data;
  }
}
