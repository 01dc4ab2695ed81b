import { type Page, pageQuery, type PageRequest } from "./paging.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { Job, JobRun, JobRequest } from "./wire.ts";

export interface JobsRequest extends PageRequest {
  readonly organizationId?: string | undefined;
}

export interface JobRunsRequest {
  readonly state?: JobRun["state"] | undefined;
  /** Of the page before: its `pagination.next`. */
  readonly after?: string | undefined;
}

/** Work on many runs: cancel, retry or fork all that match a filter. */
export class Jobs {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Begins with the runs that match now; the job goes on in the service.
   *
   * @example await millrace.jobs.start({ action: "retry", filter: { flowId: "flow_order", createdAt: { period: "1d" } } })
   */
  async start(request: JobRequest, options: CallOptions = {}): Promise<Job> {
    return (await this.#transport.call<{ data: Job }>("POST", "/manage/jobs", { ...options, body: request }))
      .data;
  }

  async list(request: JobsRequest = {}, options: CallOptions = {}): Promise<Page<Job>> {
    const query = { organizationId: request.organizationId, ...pageQuery(request) };
    return (await this.#transport.call<{ data: Page<Job> }>("GET", "/manage/jobs", { ...options, query }))
      .data;
  }

  async get(jobId: string, options: CallOptions = {}): Promise<Job> {
    return (await this.#transport.call<{ data: Job }>("GET", pathOf(jobId), options)).data;
  }

  /** What became of its runs, 200 at a time. */
  async runs(jobId: string, request: JobRunsRequest = {}, options: CallOptions = {}): Promise<Page<JobRun>> {
    const query = { state: request.state, after: request.after };
    const path = `${pathOf(jobId)}/runs`;
    return (await this.#transport.call<{ data: Page<JobRun> }>("GET", path, { ...options, query })).data;
  }

  /** What it has done stays done. */
  async stop(jobId: string, options: CallOptions = {}): Promise<Job> {
    return (await this.#transport.call<{ data: Job }>("POST", `${pathOf(jobId)}/stop`, options)).data;
  }

  /** Lets a stopped one go on with the runs that are left. */
  async resume(jobId: string, options: CallOptions = {}): Promise<Job> {
    return (await this.#transport.call<{ data: Job }>("POST", `${pathOf(jobId)}/resume`, options)).data;
  }
}

function pathOf(jobId: string): string {
  return `/manage/jobs/${encodeURIComponent(jobId)}`;
}
