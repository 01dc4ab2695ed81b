import type {
  CallToolResult,
  ElicitRequestFormParams,
  InputRequest,
  InputRequiredResult,
} from "@modelcontextprotocol/server";
import { questionSchema } from "../../domain/approval/approval-question.ts";
import type { NodeChange } from "../../domain/node-changes.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { PendingApproval } from "../../operations/tools/run-follower.ts";
import {
  type Answered,
  answerQuestion,
  type QuestionAnswer,
} from "../../operations/tools/answer-question.ts";
import type { FlowTool } from "../../operations/tools/flow-tools.ts";
import type { RunFollower } from "../../operations/tools/run-follower.ts";
import { startToolRun } from "../../operations/tools/start-tool-run.ts";
import { findToolRun } from "../../operations/tools/find-tool-run.ts";
import { getRun } from "../../operations/runs/get-run.ts";
import type { ContextOf } from "../route.ts";
import type { McpCaller } from "./caller.ts";
import type { Questions } from "./questions.ts";
import { endedResult, openResult, startedResult } from "./tool-result.ts";

export type FlowCallContext = ContextOf<typeof startToolRun> &
  ContextOf<typeof answerQuestion> &
  ContextOf<typeof findToolRun> &
  ContextOf<typeof getRun> & {
    readonly follower: RunFollower;
    readonly questions: Questions;
    /** The refusal that a fault means. */
    readonly toRefusal: (error: unknown) => Refusal;
    /** Where people look at a run. */
    readonly runPage: (runId: string) => string;
  };

export interface FlowCall {
  readonly caller: McpCaller;
  /** Aborted where the caller is gone or has given up; the run goes on. */
  readonly signal: AbortSignal;
  readonly onNodes?: ((changes: readonly NodeChange[]) => void) | undefined;
}

/** A question to a person, as clients of every generation are sent it. */
type ElicitationParams = Pick<ElicitRequestFormParams, "message" | "requestedSchema">;

/** Puts a question to the client. */
type Ask = (id: string, params: ElicitationParams) => Promise<void>;

/** One round of a call by a client that carries the state of the call itself. */
export interface CallRound {
  /** What the round before gave the client to bring back. */
  readonly state: string | undefined;
  readonly answer: QuestionAnswer | undefined;
  readonly canAsk: boolean;
}

interface OpenRound extends Omit<CallRound, "state"> {
  readonly before: RoundState | undefined;
  readonly runId: string;
}

interface RoundState {
  readonly runId: string;
  /** The approval that was asked about. */
  readonly nodeKey?: string | undefined;
  readonly round: number;
}

/** The key of the one question of a round. */
export const QUESTION = "approval";
// Clients give up after a minute, and go ten rounds.
const FIRST_ROUND_MS = 5_000;
const ROUND_MS = 45_000;
const MAX_ROUNDS = 9;
/** How long an older client, which has one round only, is waited with. */
const LONGEST_CALL_MS = 300_000;

/** Calls of flows as tools: a run is started, and the call stays with it for as long as its generation allows. */
export class FlowCalls {
  readonly #context: FlowCallContext;

  constructor(context: FlowCallContext) {
    this.#context = context;
  }

  async start({ caller }: FlowCall, tool: FlowTool, given: Readonly<Record<string, unknown>>, key?: string) {
    const call = { arguments: given, key: caller.key ?? key };
    return (await startToolRun(this.#context, caller.principal, tool, call)).runId;
  }

  /** A call in rounds: whoever loses the connection comes back with the state, and finds the same run. */
  async round(
    call: FlowCall,
    tool: FlowTool,
    given: Readonly<Record<string, unknown>>,
    { state, answer, canAsk }: CallRound,
  ): Promise<CallToolResult | InputRequiredResult> {
    const before = readState(state);
    const runId = before?.runId ?? (await this.start(call, tool, given));
    return this.#orStarted(runId, this.#goOn(call, tool, { before, runId, answer, canAsk }));
  }

  async #goOn(
    call: FlowCall,
    tool: FlowTool,
    { before, runId, answer, canAsk }: OpenRound,
  ): Promise<CallToolResult | InputRequiredResult> {
    const round = (before?.round ?? 0) + 1;
    const { organizationId } = await findToolRun(this.#context, call.caller.principal, runId, tool.flow.id);
    let note: string | undefined;
    if (before?.nodeKey !== undefined && answer) {
      const answered = await this.answer(call.caller, { runId, nodeKey: before.nodeKey }, answer);
      if (answered.kind === "left") return this.#open(call, runId);
      if (answered.kind === "invalid") note = answered.message;
    }
    const waitMs = before ? ROUND_MS : FIRST_ROUND_MS;
    const followed = await this.#follow(call, { organizationId, runId, waitMs });
    if (followed.kind === "ended") return this.#ended(call, runId);
    if (round >= MAX_ROUNDS || call.signal.aborted) return this.#open(call, runId);
    if (followed.kind === "late")
      return { resultType: "input_required", requestState: writeState({ runId, round }) };
    if (!canAsk) return this.#open(call, runId);
    const { nodeKey } = followed.approval;
    const params = elicitation(followed.approval, note);
    return {
      resultType: "input_required",
      inputRequests: {
        [QUESTION]: { method: "elicitation/create", params: { mode: "form", ...params } } as InputRequest,
      },
      requestState: writeState({ runId, nodeKey, round }),
    };
  }

  /** A call of an older client: questions are sent beside it, their answers come as requests of their own. */
  whole(
    call: FlowCall,
    runId: string,
    ask: Ask,
    asked: ReadonlySet<string> = new Set(),
  ): Promise<CallToolResult> {
    return this.#orStarted(runId, this.#stay(call, runId, ask, asked));
  }

  /** Whoever is told nothing of a run that was started starts another one. */
  #orStarted<Result>(runId: string, result: Promise<Result>): Promise<Result | CallToolResult> {
    return result.catch((error: unknown) => {
      const refusal = this.#context.toRefusal(error);
      if (refusal.code === "service_unavailable") return startedResult(runId);
      throw refusal;
    });
  }

  async #stay(call: FlowCall, runId: string, ask: Ask, asked: ReadonlySet<string>): Promise<CallToolResult> {
    const { caller } = call;
    const { organizationId } = await findToolRun(this.#context, caller.principal, runId, undefined);
    const known = new Set(asked);
    const endMs = performance.now() + LONGEST_CALL_MS;
    const gone = new AbortController();
    const signal = AbortSignal.any([call.signal, gone.signal]);
    const { questions } = this.#context;
    const forget: (() => void)[] = [];
    try {
      for (;;) {
        const waitMs = Math.max(0, endMs - performance.now());
        const followed = await this.#follow(
          { ...call, signal },
          { organizationId, runId, waitMs, asked: known },
        );
        if (followed.kind === "ended") return await this.#ended(call, runId);
        if (followed.kind === "late" || !caller.session?.canAsk) return await this.#open(call, runId);
        const { approval } = followed;
        known.add(approval.nodeKey);
        const question = { runId, nodeKey: approval.nodeKey };
        const again = (answered: Answered) => {
          if (answered.kind === "left") gone.abort();
          if (answered.kind === "invalid")
            void ask(questions.idOf(question), elicitation(approval, answered.message));
        };
        forget.push(questions.await(question, again));
        await ask(questions.idOf(question), elicitation(approval));
      }
    } finally {
      for (const stop of forget) stop();
    }
  }

  answer(
    caller: McpCaller,
    question: { runId: string; nodeKey: string },
    answer: QuestionAnswer,
  ): Promise<Answered> {
    return answerQuestion(this.#context, caller, question, answer);
  }

  #follow(
    { caller: { principal }, signal, onNodes }: FlowCall,
    run: { organizationId: string; runId: string; waitMs: number; asked?: ReadonlySet<string> },
  ) {
    return this.#context.follower.follow({ ...run, principal, signal, onNodes });
  }

  async #ended({ caller }: FlowCall, runId: string): Promise<CallToolResult> {
    return endedResult(await getRun(this.#context, caller.principal, runId));
  }

  async #open({ caller }: FlowCall, runId: string): Promise<CallToolResult> {
    const seen = await getRun(this.#context, caller.principal, runId);
    return seen.run.completedAt ? endedResult(seen) : openResult(seen, this.#context.runPage(runId));
  }
}

function elicitation({ message, nodeId, details }: PendingApproval, note?: string): ElicitationParams {
  const text = message ?? nodeId;
  return {
    message: note === undefined ? text : `${text}\n\nPlease answer again: ${note}`,
    requestedSchema: questionSchema(details?.form) as ElicitationParams["requestedSchema"],
  };
}

const RUN_ID = /^run_[A-Za-z0-9]{1,60}$/;

/** It gives no right: what it names is asked for with the rights of whoever brings it. */
function writeState(state: RoundState): string {
  return Buffer.from(JSON.stringify(state)).toString("base64url");
}

function readState(text: string | undefined): RoundState | undefined {
  if (text === undefined) return undefined;
  try {
    const { runId, nodeKey, round } = JSON.parse(Buffer.from(text, "base64url").toString()) as RoundState;
    if (!RUN_ID.test(runId) || !Number.isInteger(round)) return undefined;
    return { runId, round, ...(typeof nodeKey === "string" && !nodeKey.includes("\0") && { nodeKey }) };
  } catch {
    return undefined;
  }
}
