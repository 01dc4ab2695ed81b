import type { StreamMessage } from "./event-stream.ts";
import type { FlowId, FlowInput } from "./flow-inputs.ts";
import { follow } from "./follow.ts";
import { idempotencyKey, type TriggerOptions, triggerRequest, waitText } from "./trigger.ts";
import {
  listOf,
  type PagePromise,
  pageQuery,
  type PageRequest,
  pathOf,
  type RunFilter,
  runFilterQuery,
} from "./paging.ts";
import { pause, pauseMs } from "./retry.ts";
import type { Call, CallOptions, Transport } from "./transport.ts";
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
  terminalStatuses,
  type TriggerRequest,
  type TriggerSource,
  type Why,
} from "./wire.ts";

/** A run that has its slot, or one that waits in the queue: `status` is `"queued"` there and `queueId` leads on. */
export type RunStart = RunCreated | RunQueued;

/** The same of a fork, with `forkedFrom` and `warnings`. */
export type ForkStart = ForkCreated | ForkQueued;

export interface RunsRequest extends RunFilter, PageRequest {
  readonly organizationId?: string | undefined;
  readonly flowId?: string | undefined;
  readonly taskIdentifier?: readonly string[] | undefined;
  readonly version?: readonly string[] | undefined;
  readonly triggerSource?: readonly TriggerSource[] | undefined;
}

export interface CancelRunOptions extends CallOptions {
  /** Also a run that is PAUSED. */
  readonly paused?: boolean;
}

export interface RunStreamOptions extends CallOptions {
  /** Also an event for each node. */
  readonly nodes?: boolean | undefined;
}

/** Its body may be left out where the flow takes anything, or nothing. */
export type TriggerArguments<Id extends string, Options> =
  undefined extends FlowInput<Id>
    ? [body?: FlowInput<Id>, options?: Options]
    : [body: FlowInput<Id>, options?: Options];

const TERMINAL: ReadonlySet<string> = new Set(terminalStatuses);

export class Runs {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Starts a run of an existing flow. Every trigger has an idempotency key, so it is repeated after a lost connection and
   * still starts one run; with an `idempotencyKey` of your own that also holds for another process.
   *
   * @example await millrace.runs.trigger("flow_hello", { name: "Ada" }, { tags: ["demo"] })
   * @example await millrace.runs.trigger({ payload: { flowId: "flow_hello", trigger: { body: { name: "Ada" } } } })
   */
  trigger<Id extends FlowId>(flowId: Id, ...rest: TriggerArguments<Id, TriggerOptions>): Promise<RunStart>;
  trigger(request: TriggerRequest, options?: CallOptions): Promise<RunStart>;
  trigger(...given: readonly unknown[]): Promise<RunStart> {
    const { body, options } = triggerRequest(given);
    return this.#transport.data("POST", "/api/runs", { ...options, body, repeat: "always" });
  }

  /**
   * Starts a run and waits until it has ended, however it ends, also where it has to queue first.
   *
   * @example const { status, output } = await millrace.runs.triggerAndWait("flow_hello", { name: "Ada" })
   */
  triggerAndWait<Id extends FlowId>(
    flowId: Id,
    ...rest: TriggerArguments<Id, TriggerOptions>
  ): Promise<RunDetail>;
  triggerAndWait(request: TriggerRequest, options?: CallOptions): Promise<RunDetail>;
  async triggerAndWait(...given: readonly unknown[]): Promise<RunDetail> {
    const { body, options } = triggerRequest(given);
    const call: Call = {
      ...options,
      query: { wait: waitText(this.#transport.timeoutMs(options)) },
      body,
      repeat: "always",
    };
    const started: RunDetail | RunStart = await this.#transport.data("POST", "/api/runs", call);
    if ("updatedAt" in started) return started;
    return this.wait("id" in started ? started.id : runIdOf(started), options);
  }

  /** Runs of every flow that the key reaches, newest first. */
  list(request: RunsRequest = {}, options: CallOptions = {}): PagePromise<Run> {
    const query = {
      organizationId: request.organizationId,
      "filter[flowId]": request.flowId,
      ...pageQuery(request),
      ...runFilterQuery(request),
      "filter[taskIdentifier]": request.taskIdentifier,
      "filter[version]": request.version,
      "filter[triggerSource]": request.triggerSource,
    };
    return listOf(this.#transport, "/api/runs", query, options);
  }

  get(runId: string, options: CallOptions = {}): Promise<RunDetail> {
    return this.#transport.data("GET", runPath(runId), options);
  }

  /** What the nodes of a run did, those that have ended so far. */
  nodes(runId: string, options: CallOptions = {}): Promise<readonly RunNode[]> {
    return this.#transport.data("GET", runPath(runId, "nodes"), options);
  }

  /**
   * Why a run waits: for a slot, its time, an answer, another run … with a sentence and what can be done. A queued one is
   * asked for by `run_` and the suffix of its `queueId`.
   */
  why(runId: string, options: CallOptions = {}): Promise<Why> {
    return this.#transport.data("GET", runPath(runId, "why"), options);
  }

  /** WAITING and EXECUTING runs can be canceled, with `paused` also PAUSED ones; others fail with `run_not_cancelable`. */
  cancel(runId: string, { paused, ...options }: CancelRunOptions = {}): Promise<RunCanceled> {
    const query = { paused: paused ? "true" : undefined };
    return this.#transport.data("POST", runPath(runId, "cancel"), { ...options, query, repeat: "always" });
  }

  /**
   * Starts a run that goes on from what an ended one has done. Without a request it is a retry: whatever has not ended well
   * is executed again, and nothing else.
   *
   * @example await millrace.runs.fork(id, { from: "charge", outputs: { quote: { total: 12 } } })
   */
  fork(runId: string, request: ForkRequest = {}, options: CallOptions = {}): Promise<ForkStart> {
    const body = { ...request, idempotencyKey: request.idempotencyKey ?? idempotencyKey() };
    return this.#transport.data("POST", runPath(runId, "fork"), { ...options, body, repeat: "always" });
  }

  /** What two runs did, node by node: path, status, duration and values, with a JSON Patch where these differ. */
  compare(runId: string, otherRunId: string, options: CallOptions = {}): Promise<RunComparison> {
    return this.#transport.data("GET", runPath(runId, "compare", otherRunId), options);
  }

  /** Answers the approval that a PAUSED run waits for; the first answer wins. */
  resume(runId: string, answer: ResumeRequest, options: CallOptions = {}): Promise<RunResumed> {
    return this.#transport.data("POST", runPath(runId, "resume"), { ...options, body: answer });
  }

  /**
   * Every change of a run as it happens, from its state now to its end; then the iteration ends by itself. A connection
   * that is lost is made again, and nothing is told twice.
   *
   * @example for await (const event of millrace.runs.stream(id, { nodes: true })) console.log(event.type)
   */
  stream(runId: string, { nodes, ...options }: RunStreamOptions = {}): AsyncGenerator<RunStreamEvent> {
    const transport = this.#transport;
    const call = { ...options, query: { include: nodes ? "nodes" : undefined } };
    const seen = new Set<string>();
    let update: string | undefined;
    const take = ({ data }: StreamMessage) => {
      const event = JSON.parse(data ?? "{}") as RunStreamEvent;
      // The service gives a stream up after a long silence, or a slow reader: it is opened again.
      if (data === undefined || event.type === "error") return undefined;
      // A stream that is opened again tells everything once more: of the run the newest, of nodes all.
      const key = event.type === "node" ? nodeChange(event.data) : event.type;
      if (event.type === "update" ? data === update : seen.has(key)) return undefined;
      if (event.type === "update") update = data;
      else seen.add(key);
      return { event, isLast: event.type === "completed" };
    };
    return follow<RunStreamEvent>({
      open: () => transport.stream("GET", runPath(runId, "stream"), call),
      take,
      repeat: "always",
      maxReopenings: transport.maxReopenings(options),
      signal: options.signal,
    });
  }

  /** Waits until the run has ended, however it ends, and returns all of it. */
  async wait(runId: string, options: CallOptions = {}): Promise<RunDetail> {
    for (let attempt = 0; ; attempt += 1) {
      for await (const event of this.stream(runId, options)) if (event.type === "completed") break;
      const run = await this.get(runId, options);
      if (TERMINAL.has(run.status)) return run;
      await pause(pauseMs(attempt), options.signal);
    }
  }
}

function runPath(runId: string, ...rest: readonly string[]): string {
  return pathOf("/api/runs", runId, ...rest);
}

type NodeChange = Extract<RunStreamEvent, { type: "node" }>["data"];

function nodeChange({ nodeKey, status, startedAt, completedAt }: NodeChange): string {
  return [nodeKey, status, startedAt, completedAt].join();
}

/** A queue item and its run share their suffix. */
function runIdOf({ queueId }: RunQueued): string {
  return queueId.replace(/^queue_/, "run_");
}
