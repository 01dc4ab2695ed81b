import type { ReplyFailureCode, ReplyUsage, ToolEvent } from "../domain/agent/chat.ts";
import type { ModelMessage } from "../domain/agent/model-messages.ts";

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** What the model is told; an error is told to the model too, and to nobody else. */
  call(input: Record<string, unknown>, signal: AbortSignal): Promise<string>;
}

export interface ReplyLimits {
  readonly totalMs: number;
  readonly firstOutputMs: number;
  readonly betweenOutputsMs: number;
  readonly toolMs: number;
  /** Calls of the model in one reply. */
  readonly steps: number;
  readonly replyBytes: number;
  /** Pauses before the model is asked again after a refusal that may pass; only before its first output. */
  readonly retryDelaysMs: readonly number[];
}

export interface ReplyRequest {
  readonly instructions: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly AgentTool[];
  readonly limits: ReplyLimits;
  /** Aborted with a ReplyFailure. */
  readonly signal: AbortSignal;
  onText(text: string): void;
  onTool(event: ToolEvent): void;
}

export interface ReplyResult {
  /** What was said, and what tools answered, in whole exchanges: the next turn can go on from here. */
  readonly messages: readonly ModelMessage[];
  readonly usage: ReplyUsage;
  readonly failure?: ReplyFailureCode;
}

/** Whatever writes replies. It never throws: a reply that broke off has a `failure` and what was said until then. */
export interface ReplyGenerator {
  generate(request: ReplyRequest): Promise<ReplyResult>;
}

/** A failure by its public name; nothing of the upstream is in it. */
export class ReplyFailure extends Error {
  readonly code: ReplyFailureCode;
  constructor(code: ReplyFailureCode) {
    super(code);
    this.name = "ReplyFailure";
    this.code = code;
  }
}
