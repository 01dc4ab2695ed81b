import { type Page, pageQuery, type PageRequest, type RunFilter, runFilterQuery } from "./paging.ts";
import type { CallOptions, Transport } from "./transport.ts";
import {
  type ForkCreated,
  type ForkQueued,
  type ForkRequest,
  type ResumeRequest,
  type Run,
  type RunCanceled,
  type RunComparison,
  type RunCreated,
  type RunDetail,
  type RunNode,
  type RunQueued,
  type RunResumed,
  type RunStreamEvent,
  type SavedTest,
  type Share,
  type ShareRequest,
  type ShareRevoked,
  terminalStatuses,
  type TriggerRequest,
  type Why,
} from "./wire.ts";

/** A run that has its slot, or one that waits in the queue: `status` is `"queued"` there and `queueId` leads on. */
export type RunStart = RunCreated | RunQueued;

/** The same of a fork, with `forkedFrom` and `warnings`. */
export type ForkStart = ForkCreated | ForkQueued;

export interface RunsRequest extends RunFilter, PageRequest {
  readonly organizationId?: string | undefined;
  readonly taskIdentifier?: readonly string[] | undefined;
  readonly version?: readonly string[] | undefined;
}

export interface CancelRunOptions extends CallOptions {
  /** Also a run that is PAUSED. */
  readonly paused?: boolean;
}

export interface RunStreamOptions extends CallOptions {
  /** Also an event for each node. */
  readonly nodes?: boolean | undefined;
}

const TERMINAL: ReadonlySet<string> = new Set(terminalStatuses);
const PAUSE_BETWEEN_STREAMS_MS = 500;

export class Runs {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Starts a run of an existing flow. With an `idempotencyKey` a repetition answers with the run of the first call.
   *
   * @example await millrace.runs.trigger({ payload: { flowId: "flow_hello", trigger: { body: { name: "Ada" } } } })
   */
  async trigger(request: TriggerRequest, options: CallOptions = {}): Promise<RunStart> {
    return (
      await this.#transport.call<{ data: RunStart }>("POST", "/api/runs", { ...options, body: request })
    ).data;
  }

  /**
   * Starts a run and waits so long for its end in the same call: `run` is all of it, however it ended, or `started` what
   * `trigger` would have answered.
   *
   * @example const { run } = await millrace.runs.triggerAndWait({ payload: { flowId: "flow_hello" } }, { wait: "30s" })
   */
  async triggerAndWait(
    request: TriggerRequest,
    { wait, ...options }: CallOptions & { readonly wait: string },
  ): Promise<{ readonly run: RunDetail } | { readonly run?: undefined; readonly started: RunStart }> {
    const call = { ...options, query: { wait }, body: request };
    const { data } = await this.#transport.call<{ data: RunDetail | RunStart }>("POST", "/api/runs", call);
    return "updatedAt" in data ? { run: data } : { started: data };
  }

  /** Runs of every flow that the key reaches, newest first. */
  async list(request: RunsRequest = {}, options: CallOptions = {}): Promise<Page<Run>> {
    const query = {
      organizationId: request.organizationId,
      ...pageQuery(request),
      ...runFilterQuery(request),
      "filter[taskIdentifier]": request.taskIdentifier,
      "filter[version]": request.version,
    };
    return (await this.#transport.call<{ data: Page<Run> }>("GET", "/api/runs", { ...options, query })).data;
  }

  async get(runId: string, options: CallOptions = {}): Promise<RunDetail> {
    return (await this.#transport.call<{ data: RunDetail }>("GET", pathOf(runId), options)).data;
  }

  /** What the nodes of a run did, those that have ended so far. */
  async nodes(runId: string, options: CallOptions = {}): Promise<readonly RunNode[]> {
    return (await this.#transport.call<{ data: RunNode[] }>("GET", `${pathOf(runId)}/nodes`, options)).data;
  }

  /**
   * Why a run waits: for a slot, its time, an answer, another run … with a sentence and what can be done. A queued one is
   * asked for by `run_` and the suffix of its `queueId`.
   */
  async why(runId: string, options: CallOptions = {}): Promise<Why> {
    return (await this.#transport.call<{ data: Why }>("GET", `${pathOf(runId)}/why`, options)).data;
  }

  /** WAITING and EXECUTING runs can be cancelled, with `paused` also PAUSED ones; others fail with `run_not_cancelable`. */
  async cancel(runId: string, { paused, ...options }: CancelRunOptions = {}): Promise<RunCanceled> {
    const query = { paused: paused ? "true" : undefined };
    const path = `${pathOf(runId)}/cancel`;
    return (await this.#transport.call<{ data: RunCanceled }>("POST", path, { ...options, query })).data;
  }

  /**
   * Starts a run that goes on from what an ended one has done. Without a request it is a retry: whatever has not ended well
   * is executed again, and nothing else.
   *
   * @example await millrace.runs.fork(id, { from: "charge", outputs: { quote: { total: 12 } } })
   */
  async fork(runId: string, request: ForkRequest = {}, options: CallOptions = {}): Promise<ForkStart> {
    const path = `${pathOf(runId)}/fork`;
    return (await this.#transport.call<{ data: ForkStart }>("POST", path, { ...options, body: request }))
      .data;
  }

  /** What two runs did, node by node: path, status, duration and values, with a JSON Patch where these differ. */
  async compare(runId: string, otherRunId: string, options: CallOptions = {}): Promise<RunComparison> {
    const path = `${pathOf(runId)}/compare/${encodeURIComponent(otherRunId)}`;
    return (await this.#transport.call<{ data: RunComparison }>("GET", path, options)).data;
  }

  /**
   * A link that shows the run to whoever has it: structure, times and statuses, and the values of the nodes in `reveal`.
   * Needs the role `member`; every view is in the audit log.
   */
  async share(runId: string, request: ShareRequest = {}, options: CallOptions = {}): Promise<Share> {
    const path = `/manage/runs/${encodeURIComponent(runId)}/share`;
    return (await this.#transport.call<{ data: Share }>("POST", path, { ...options, body: request })).data;
  }

  /** Ends such a link. */
  async unshare(runId: string, shareId: string, options: CallOptions = {}): Promise<ShareRevoked> {
    const path = `/manage/runs/${encodeURIComponent(runId)}/share/${encodeURIComponent(shareId)}`;
    return (await this.#transport.call<{ data: ShareRevoked }>("DELETE", path, options)).data;
  }

  /** A test of the flow out of what a run did; values are replaced unless `keep` names them. Nothing is stored. */
  async saveTest(
    runId: string,
    request: {
      readonly keep?: readonly string[] | undefined;
      readonly id?: string | undefined;
      readonly name?: string | undefined;
    } = {},
    options: CallOptions = {},
  ): Promise<SavedTest> {
    const path = `/manage/runs/${encodeURIComponent(runId)}/test`;
    return (await this.#transport.call<{ data: SavedTest }>("POST", path, { ...options, body: request }))
      .data;
  }

  /** Answers the approval that a PAUSED run waits for; the first answer wins. */
  async resume(runId: string, answer: ResumeRequest, options: CallOptions = {}): Promise<RunResumed> {
    const path = `${pathOf(runId)}/resume`;
    return (await this.#transport.call<{ data: RunResumed }>("POST", path, { ...options, body: answer }))
      .data;
  }

  /**
   * Every change of a run as it happens, from its state now to its end; then the iteration ends by itself.
   *
   * @example for await (const event of millrace.runs.stream(id, { nodes: true })) console.log(event.type)
   */
  async *stream(runId: string, { nodes, ...options }: RunStreamOptions = {}): AsyncGenerator<RunStreamEvent> {
    const query = { include: nodes ? "nodes" : undefined };
    for await (const { data } of this.#transport.stream("GET", `${pathOf(runId)}/stream`, {
      ...options,
      query,
    }))
      yield JSON.parse(data) as RunStreamEvent;
  }

  /** Waits until the run has ended, however it ends, and answers with all of it. */
  async wait(runId: string, options: CallOptions = {}): Promise<RunDetail> {
    for (;;) {
      for await (const event of this.stream(runId, options)) if (event.type === "completed") break;
      const run = await this.get(runId, options);
      if (TERMINAL.has(run.status)) return run;
      // A stream ends after a long silence too; a paused run may take days.
      await pause(PAUSE_BETWEEN_STREAMS_MS, options.signal);
    }
  }
}

function pathOf(runId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}`;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}
