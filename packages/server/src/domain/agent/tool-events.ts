import type { ToolEvent } from "./chat.ts";
import type { ToolCallPart, ToolResultPart } from "./model-messages.ts";

/** Of arguments and answers, as JSON: enough to see what went on. The model gets all of them. */
const MAX_SHOWN = 10_000;

export function toolCalled({ toolCallId, toolName, input }: ToolCallPart): ToolEvent {
  const isShort = (JSON.stringify(input) ?? "").length <= MAX_SHOWN;
  return { type: "tool-call", toolCallId, toolName, input: isShort ? input : { truncated: true } };
}

export function toolAnswered({ toolCallId, toolName, output }: ToolResultPart): ToolEvent {
  return {
    type: "tool-result",
    toolCallId,
    toolName,
    output: output.value.slice(0, MAX_SHOWN).toWellFormed(),
    isError: output.type === "error-text",
  };
}
