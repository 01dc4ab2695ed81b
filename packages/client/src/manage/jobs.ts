import { listOf, type PagePromise, type PageRequest, pathOf } from "../paging.ts";
import type { CallOptions, Transport } from "../transport.ts";
import type { Job, JobRequest, JobRun } from "../wire.ts";
import { listQuery } from "./requests.ts";

const ROOT = "/manage/jobs";

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
   * @example await millrace.manage.jobs.start({ action: "retry", filter: { flowId: "flow_order", createdAt: { period: "1d" } } })
   */
  start(request: JobRequest, options: CallOptions = {}): Promise<Job> {
    return this.#transport.data("POST", ROOT, { ...options, body: request });
  }

  list(request: JobsRequest = {}, options: CallOptions = {}): PagePromise<Job> {
    return listOf(this.#transport, ROOT, listQuery(request), options);
  }

  get(jobId: string, options: CallOptions = {}): Promise<Job> {
    return this.#transport.data("GET", pathOf(ROOT, jobId), options);
  }

  /** What became of its runs, 200 at a time. */
  runs(jobId: string, request: JobRunsRequest = {}, options: CallOptions = {}): PagePromise<JobRun> {
    const query = { state: request.state, after: request.after };
    return listOf(this.#transport, pathOf(ROOT, jobId, "runs"), query, options, "after");
  }

  /** What it has done stays done. */
  stop(jobId: string, options: CallOptions = {}): Promise<Job> {
    return this.#transport.data("POST", pathOf(ROOT, jobId, "stop"), { ...options, repeat: "always" });
  }

  /** Lets a stopped one go on with the runs that are left. */
  resume(jobId: string, options: CallOptions = {}): Promise<Job> {
    return this.#transport.data("POST", pathOf(ROOT, jobId, "resume"), { ...options, repeat: "always" });
  }
}
