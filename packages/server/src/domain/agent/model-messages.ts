/** Messages as they are kept between turns. */
export type ModelMessage =
  | { readonly role: "user"; readonly content: readonly TextPart[] }
  | { readonly role: "assistant"; readonly content: readonly (TextPart | ToolCallPart)[] }
  | { readonly role: "tool"; readonly content: readonly ToolResultPart[] };

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export interface ToolCallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

export interface ToolResultPart {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: "text" | "error-text"; readonly value: string };
}

export interface EarlierTurn {
  readonly userText: string;
  readonly modelMessages: readonly ModelMessage[] | null;
}

/** The conversation so far, oldest first, and the new message. A reply that broke off stays as far as it came. */
export function conversation(earlier: readonly EarlierTurn[], message: string): ModelMessage[] {
  return [
    ...earlier.flatMap((turn) => [userMessage(turn.userText), ...(turn.modelMessages ?? [])]),
    userMessage(message),
  ];
}

export function assistantText(text: string): ModelMessage[] {
  return text === "" ? [] : [{ role: "assistant", content: [{ type: "text", text }] }];
}

export function userMessage(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}
