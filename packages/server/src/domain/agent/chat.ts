import type { ErrorCode } from "@millrace/contract/errors";

/** Why a reply could not be given; all that anybody outside ever hears of it. */
export type ReplyFailureCode = Extract<
  ErrorCode,
  "upstream_failed" | "upstream_unavailable" | "upstream_timed_out" | "reply_interrupted"
>;

/** The process that wrote the reply has stopped or was lost. */
export const INTERRUPTED: ReplyFailureCode = "reply_interrupted";

export interface SessionRef {
  readonly organizationId: string;
  readonly sessionId: string;
}

export interface TurnRef extends SessionRef {
  readonly number: number;
}

/** A tool that a reply has called, or what it answered. */
export type ToolEvent =
  | {
      readonly type: "tool-call";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
    }
  | {
      readonly type: "tool-result";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly output: string;
      readonly isError: boolean;
    };

/** One entry of a session's log. `done` and `error` end their turn; there is never both. */
export type ChatEvent = { readonly seq: number; readonly turn: number } & (
  | { readonly type: "text-delta"; readonly text: string }
  | ToolEvent
  | { readonly type: "done"; readonly text: string }
  | { readonly type: "error"; readonly code: ReplyFailureCode }
);

export function endsTurn(event: ChatEvent): boolean {
  return event.type === "done" || event.type === "error";
}

/** As the provider counts; what it does not count is missing. */
export interface TokenCounts {
  readonly inputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
}

export interface ReplyUsage extends TokenCounts {
  readonly steps: number;
  readonly toolCalls: number;
  readonly model: string;
  readonly finishReason?: string;
}

/** A cursor as clients give it: digits alone, so that no browser re-encodes it. */
export function parseEventId(text: string): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  return Number(text);
}
