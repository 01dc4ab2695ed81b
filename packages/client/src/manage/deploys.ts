import { listOf, type PagePromise, pageQuery, type PageRequest, pathOf } from "../paging.ts";
import type { RunStart } from "../runs.ts";
import type { CallOptions, Transport } from "../transport.ts";
import type {
  BacktestResult,
  CreateFlowRequest,
  DocumentsRequest,
  DocumentsResult,
  DraftSaved,
  DraftTested,
  DraftValidation,
  Evaluation,
  FlowCreated,
  FlowDeleted,
  FlowDeletion,
  FlowDiff,
  FlowDraft,
  FlowGraph,
  FlowSettings,
  FlowStatistics,
  FlowStructure,
  FlowTest,
  FlowTemplate,
  FlowVersion,
  FlowVersionDetail,
  ManagedFlow,
  PublishedVersion,
  Schedule,
  StoredTest,
} from "../wire.ts";
import {
  type CreatedAtRequest,
  createdAtQuery,
  listQuery,
  type ManageListRequest,
  type ManageRequest,
} from "./requests.ts";

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
    return this.#transport.data("POST", "/manage/documents/plan", {
      ...options,
      body: request,
      repeat: "always",
    });
  }

  /** All of them or none; faults are in `data.faults` of the error. */
  apply(request: DocumentsRequest, options: CallOptions = {}): Promise<DocumentsResult> {
    return this.#transport.data("POST", "/manage/documents", { ...options, body: request, repeat: "always" });
  }

  /** Every document of an organization as YAML, without secrets. */
  export(request: ManageRequest = {}, options: CallOptions = {}): Promise<string> {
    return this.#transport.text("GET", "/manage/documents", { ...options, query: { ...request } });
  }

  flows(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<ManagedFlow> {
    return listOf(this.#transport, "/manage/flows", listQuery(request), options);
  }

  /** How a version is connected, without inputs; the active one unless stated. */
  graph(
    flowId: string,
    request: { readonly version?: string | undefined } = {},
    options: CallOptions = {},
  ): Promise<FlowStructure> {
    return this.#transport.data("GET", flowPath(flowId, "graph"), { ...options, query: { ...request } });
  }

  /** How often the flow and its nodes fail, and how long they take. */
  statistics(
    flowId: string,
    request: CreatedAtRequest = {},
    options: CallOptions = {},
  ): Promise<FlowStatistics> {
    const call = { ...options, query: createdAtQuery(request) };
    return this.#transport.data("GET", flowPath(flowId, "statistics"), call);
  }

  versions(flowId: string, request: PageRequest = {}, options: CallOptions = {}): PagePromise<FlowVersion> {
    return listOf(this.#transport, flowPath(flowId, "versions"), pageQuery(request), options);
  }

  version(flowId: string, version: string, options: CallOptions = {}): Promise<FlowVersionDetail> {
    return this.#transport.data("GET", flowPath(flowId, "versions", version), options);
  }

  /** What changed from one version to the other, in words; either may be `draft`. */
  diff(flowId: string, from: string, to: string, options: CallOptions = {}): Promise<FlowDiff> {
    return this.#transport.data("GET", flowPath(flowId, "versions", from, "diff", to), options);
  }

  rollback(
    flowId: string,
    request: { readonly version: string; readonly note?: string | undefined },
    options: CallOptions = {},
  ): Promise<PublishedVersion> {
    return this.#transport.data("POST", flowPath(flowId, "rollback"), { ...options, body: request });
  }

  draft(flowId: string, options: CallOptions = {}): Promise<FlowDraft> {
    return this.#transport.data("GET", flowPath(flowId, "draft"), options);
  }

  /** Fails with status 409 and the present `data.revision` where somebody else was faster. */
  saveDraft(
    flowId: string,
    request: {
      readonly graph: FlowGraph;
      /** What the document says beside its graph, whole; left out: as it is. */
      readonly settings?: FlowSettings | undefined;
      readonly revision: number;
    },
    options: CallOptions = {},
  ): Promise<DraftSaved> {
    return this.#transport.data("PUT", flowPath(flowId, "draft"), { ...options, body: request });
  }

  validateDraft(
    flowId: string,
    request: {
      readonly graph?: FlowGraph | undefined;
      readonly settings?: FlowSettings | undefined;
    } = {},
    options: CallOptions = {},
  ): Promise<DraftValidation> {
    return this.#transport.data("POST", flowPath(flowId, "draft", "validate"), {
      ...options,
      body: request,
      repeat: "always",
    });
  }

  /** Replays recorded runs with the draft, or a graph in its place, and says what changes; nothing is called. */
  backtest(
    flowId: string,
    request: { readonly last?: number | undefined; readonly graph?: FlowGraph | undefined } = {},
    options: CallOptions = {},
  ): Promise<BacktestResult> {
    return this.#transport.data("POST", flowPath(flowId, "backtest"), {
      ...options,
      body: request,
      repeat: "always",
    });
  }

  /** Runs tests (documents of the kind FlowTest; those stored with the flow unless stated) on the draft, or on a graph in its place. */
  testDraft(
    flowId: string,
    request: {
      readonly tests?: readonly FlowTest[] | undefined;
      readonly graph?: FlowGraph | undefined;
    } = {},
    options: CallOptions = {},
  ): Promise<DraftTested> {
    return this.#transport.data("POST", flowPath(flowId, "draft", "test"), {
      ...options,
      body: request,
      repeat: "always",
    });
  }

  /** The draft, or a graph in its place, on the values of a recorded run; nothing is called. */
  evaluateDraft(
    flowId: string,
    request: { readonly runId: string; readonly graph?: FlowGraph | undefined },
    options: CallOptions = {},
  ): Promise<Evaluation> {
    return this.#transport.data("POST", flowPath(flowId, "draft", "evaluate"), {
      ...options,
      body: request,
      repeat: "always",
    });
  }

  publish(
    flowId: string,
    request: { readonly note?: string | undefined; readonly revision?: number | undefined } = {},
    options: CallOptions = {},
  ): Promise<PublishedVersion> {
    return this.#transport.data("POST", flowPath(flowId, "publish"), { ...options, body: request });
  }

  /** Executes the draft as a test run, effects included: whole, from a node of an ended run on, or a node alone. */
  runDraft(
    flowId: string,
    request: {
      readonly graph?: FlowGraph | undefined;
      readonly runId?: string | undefined;
      readonly nodeId?: string | undefined;
      readonly only?: boolean | undefined;
      readonly trigger?: { readonly body?: unknown } | undefined;
      readonly data?: Readonly<Record<string, unknown>> | undefined;
    } = {},
    options: CallOptions = {},
  ): Promise<RunStart & { readonly warnings: readonly string[] }> {
    return this.#transport.data("POST", flowPath(flowId, "draft", "run"), { ...options, body: request });
  }

  /** A flow that is nothing but a draft: from a template, as a copy, or from nothing. */
  create(request: CreateFlowRequest, options: CallOptions = {}): Promise<FlowCreated> {
    return this.#transport.data("POST", "/manage/flows", { ...options, body: request });
  }

  /** From now on the console keeps the document of the flow, until the next apply of it. */
  detach(flowId: string, options: CallOptions = {}): Promise<ManagedFlow> {
    return this.#transport.data("POST", flowPath(flowId, "detach"), { ...options, repeat: "always" });
  }

  /** The tests that are stored with a flow. */
  tests(flowId: string, options: CallOptions = {}): PagePromise<StoredTest> {
    return listOf(this.#transport, flowPath(flowId, "tests"), {}, options);
  }

  /** Stores a test with its flow, in the place of one with the same id. */
  saveTest(document: FlowTest, options: CallOptions = {}): Promise<StoredTest> {
    const path = flowPath(document.flowId, "tests", document.id);
    return this.#transport.data("PUT", path, { ...options, body: { document }, repeat: "always" });
  }

  deleteTest(
    flowId: string,
    testId: string,
    options: CallOptions = {},
  ): Promise<{ flowId: string; id: string }> {
    return this.#transport.data("DELETE", flowPath(flowId, "tests", testId), options);
  }

  activate(flowId: string, options: CallOptions = {}): Promise<ManagedFlow> {
    return this.#transport.data("POST", flowPath(flowId, "activate"), { ...options, repeat: "always" });
  }

  deactivate(flowId: string, options: CallOptions = {}): Promise<ManagedFlow> {
    return this.#transport.data("POST", flowPath(flowId, "deactivate"), { ...options, repeat: "always" });
  }

  /** What deleting the flow would mean. */
  deletion(
    flowId: string,
    request: DeleteFlowRequest = {},
    options: CallOptions = {},
  ): Promise<FlowDeletion> {
    return this.#transport.data("GET", flowPath(flowId, "deletion"), { ...options, query: { ...request } });
  }

  delete(flowId: string, request: DeleteFlowRequest = {}, options: CallOptions = {}): Promise<FlowDeleted> {
    return this.#transport.data("DELETE", flowPath(flowId), { ...options, query: { ...request } });
  }

  /** Flows to begin with, each with its tests and a picture. */
  templates(options: CallOptions = {}): PagePromise<FlowTemplate> {
    return listOf(this.#transport, "/manage/templates", {}, options);
  }

  /** Each with its next five times. */
  schedules(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<Schedule> {
    return listOf(this.#transport, "/manage/schedules", listQuery(request), options);
  }

  /** Starts a run as the schedule would. */
  runSchedule(flowId: string, scheduleId: string, options: CallOptions = {}): Promise<RunStart> {
    return this.#transport.data("POST", flowPath(flowId, "schedules", scheduleId, "run"), options);
  }

  pauseSchedule(flowId: string, scheduleId: string, options: CallOptions = {}): Promise<Schedule> {
    return this.#transport.data("POST", flowPath(flowId, "schedules", scheduleId, "pause"), {
      ...options,
      repeat: "always",
    });
  }

  resumeSchedule(flowId: string, scheduleId: string, options: CallOptions = {}): Promise<Schedule> {
    return this.#transport.data("POST", flowPath(flowId, "schedules", scheduleId, "resume"), {
      ...options,
      repeat: "always",
    });
  }
}

function flowPath(flowId: string, ...rest: readonly string[]): string {
  return pathOf("/manage/flows", flowId, ...rest);
}
