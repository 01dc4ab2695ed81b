import { MillraceClient as CoreClient } from "./core.ts";
import type { Deploys } from "./manage/deploys.ts";
import type { Jobs } from "./manage/jobs.ts";
import { Manage } from "./manage/manage.ts";
import type { ClientOptions } from "./transport.ts";

export * from "./core.ts";
export type { DeleteFlowRequest, Deploys } from "./manage/deploys.ts";
export type { EventsRequest, ManagedEvents } from "./manage/events.ts";
export type { JobRunsRequest, Jobs, JobsRequest } from "./manage/jobs.ts";
export type { Manage } from "./manage/manage.ts";
export type { ManagedAgents } from "./manage/agents.ts";
export type { ManagedRuns, NodeRecordsRequest, OrganizationEvent, RunCountsRequest } from "./manage/runs.ts";
export type { AuditRequest, CreatedAtRequest, ManageListRequest, ManageRequest } from "./manage/requests.ts";
export type { ManagedService } from "./manage/service.ts";
export type { ManagedVariables } from "./manage/variables.ts";

/**
 * The whole API of a Millrace service, typed and without dependencies. Every failure is a `MillraceError`; an abort
 * through `signal` is the caller's own. Without `manage` it is smaller: `@millrace/client/core`.
 *
 * @example
 * const millrace = new MillraceClient({ baseUrl: "http://127.0.0.1:4000", apiKey });
 * const { output } = await millrace.runs.triggerAndWait("flow_hello", { name: "Ada" });
 */
export class MillraceClient extends CoreClient {
  /** Everything under `/manage`. */
  readonly manage: Manage;

  constructor(options: ClientOptions) {
    super(options);
    this.manage = new Manage(this.transport);
  }

  /** The same as `manage.deploys`. */
  get deploys(): Deploys {
    return this.manage.deploys;
  }

  /** The same as `manage.jobs`. */
  get jobs(): Jobs {
    return this.manage.jobs;
  }
}
