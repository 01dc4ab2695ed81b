import { type Page, pageQuery, type PageRequest } from "./paging.ts";
import type { RunStart } from "./runs.ts";
import type { CallOptions, QueryValue, Transport } from "./transport.ts";
import type {
  BacktestResult,
  DocumentsRequest,
  DocumentsResult,
  DraftSaved,
  DraftValidation,
  Evaluation,
  FlowDeleted,
  FlowDeletion,
  FlowDiff,
  FlowDraft,
  FlowGraph,
  FlowVersion,
  FlowVersionDetail,
  ManagedFlow,
  PublishedVersion,
  Schedule,
} from "./wire.ts";

/** Which organization is meant; only a key that reaches several has to say so. */
export interface OrganizationRequest {
  readonly organizationId?: string | undefined;
}

/** What becomes of waiting and paused runs of a flow that is deleted: `cancel` unless stated. */
export interface DeleteFlowRequest {
  readonly runs?: "cancel" | "keep" | undefined;
}

/** Documents, versions and drafts of flows, and schedules. Changing them takes a key of role `admin`. */
export class Deploys {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What would become of documents, and every fault with its file and line. */
  plan(request: DocumentsRequest, options: CallOptions = {}): Promise<DocumentsResult> {
    return this.#call("POST", "/manage/documents/plan", { ...options, body: request });
  }

  /** All of them or none; faults are in `data.faults` of the error. */
  apply(request: DocumentsRequest, options: CallOptions = {}): Promise<DocumentsResult> {
    return this.#call("POST", "/manage/documents", { ...options, body: request });
  }

  /** Every document of an organization as YAML, without secrets. */
  export(request: OrganizationRequest = {}, options: CallOptions = {}): Promise<string> {
    return this.#transport.text("GET", "/manage/documents", { ...options, query: { ...request } });
  }

  flows(
    request: OrganizationRequest & PageRequest = {},
    options: CallOptions = {},
  ): Promise<Page<ManagedFlow>> {
    return this.#call("GET", "/manage/flows", { ...options, query: listQuery(request) });
  }

  versions(flowId: string, request: PageRequest = {}, options: CallOptions = {}): Promise<Page<FlowVersion>> {
    return this.#call("GET", flowPath(flowId, "versions"), { ...options, query: pageQuery(request) });
  }

  version(flowId: string, version: string, options: CallOptions = {}): Promise<FlowVersionDetail> {
    return this.#call("GET", flowPath(flowId, "versions", version), options);
  }

  /** What changed from one version to the other, in words; either may be `draft`. */
  diff(flowId: string, from: string, to: string, options: CallOptions = {}): Promise<FlowDiff> {
    return this.#call("GET", flowPath(flowId, "versions", from, "diff", to), options);
  }

  rollback(
    flowId: string,
    request: { readonly version: string; readonly note?: string | undefined },
    options: CallOptions = {},
  ): Promise<PublishedVersion> {
    return this.#call("POST", flowPath(flowId, "rollback"), { ...options, body: request });
  }

  draft(flowId: string, options: CallOptions = {}): Promise<FlowDraft> {
    return this.#call("GET", flowPath(flowId, "draft"), options);
  }

  /** Fails with status 409 and the present `data.revision` where somebody else was faster. */
  saveDraft(
    flowId: string,
    request: { readonly graph: FlowGraph; readonly revision: number },
    options: CallOptions = {},
  ): Promise<DraftSaved> {
    return this.#call("PUT", flowPath(flowId, "draft"), { ...options, body: request });
  }

  validateDraft(
    flowId: string,
    request: { readonly graph?: FlowGraph | undefined } = {},
    options: CallOptions = {},
  ): Promise<DraftValidation> {
    return this.#call("POST", flowPath(flowId, "draft", "validate"), { ...options, body: request });
  }

  /** Replays recorded runs with the draft, or a graph in its place, and says what changes; nothing is called. */
  backtest(
    flowId: string,
    request: { readonly last?: number | undefined; readonly graph?: FlowGraph | undefined } = {},
    options: CallOptions = {},
  ): Promise<BacktestResult> {
    return this.#call("POST", flowPath(flowId, "backtest"), { ...options, body: request });
  }

  /** The draft, or a graph in its place, on the values of a recorded run; nothing is called. */
  evaluateDraft(
    flowId: string,
    request: { readonly runId: string; readonly graph?: FlowGraph | undefined },
    options: CallOptions = {},
  ): Promise<Evaluation> {
    return this.#call("POST", flowPath(flowId, "draft", "evaluate"), { ...options, body: request });
  }

  publish(
    flowId: string,
    request: { readonly note?: string | undefined; readonly revision?: number | undefined } = {},
    options: CallOptions = {},
  ): Promise<PublishedVersion> {
    return this.#call("POST", flowPath(flowId, "publish"), { ...options, body: request });
  }

  activate(flowId: string, options: CallOptions = {}): Promise<ManagedFlow> {
    return this.#call("POST", flowPath(flowId, "activate"), options);
  }

  deactivate(flowId: string, options: CallOptions = {}): Promise<ManagedFlow> {
    return this.#call("POST", flowPath(flowId, "deactivate"), options);
  }

  /** What deleting the flow would mean. */
  deletion(
    flowId: string,
    request: DeleteFlowRequest = {},
    options: CallOptions = {},
  ): Promise<FlowDeletion> {
    return this.#call("GET", flowPath(flowId, "deletion"), { ...options, query: { ...request } });
  }

  delete(flowId: string, request: DeleteFlowRequest = {}, options: CallOptions = {}): Promise<FlowDeleted> {
    return this.#call("DELETE", flowPath(flowId), { ...options, query: { ...request } });
  }

  /** Each with its next five times. */
  schedules(
    request: OrganizationRequest & PageRequest = {},
    options: CallOptions = {},
  ): Promise<Page<Schedule>> {
    return this.#call("GET", "/manage/schedules", { ...options, query: listQuery(request) });
  }

  /** Starts a run as the schedule would. */
  runSchedule(flowId: string, scheduleId: string, options: CallOptions = {}): Promise<RunStart> {
    return this.#call("POST", flowPath(flowId, "schedules", scheduleId, "run"), options);
  }

  pauseSchedule(flowId: string, scheduleId: string, options: CallOptions = {}): Promise<Schedule> {
    return this.#call("POST", flowPath(flowId, "schedules", scheduleId, "pause"), options);
  }

  resumeSchedule(flowId: string, scheduleId: string, options: CallOptions = {}): Promise<Schedule> {
    return this.#call("POST", flowPath(flowId, "schedules", scheduleId, "resume"), options);
  }

  async #call<Data>(
    method: string,
    path: string,
    call: CallOptions & { readonly body?: unknown; readonly query?: Readonly<Record<string, QueryValue>> },
  ): Promise<Data> {
    return (await this.#transport.call<{ data: Data }>(method, path, call)).data;
  }
}

function flowPath(flowId: string, ...steps: readonly string[]): string {
  return ["/manage/flows", ...[flowId, ...steps].map(encodeURIComponent)].join("/");
}

function listQuery({
  organizationId,
  ...page
}: OrganizationRequest & PageRequest): Record<string, QueryValue> {
  return { organizationId, ...pageQuery(page) };
}
