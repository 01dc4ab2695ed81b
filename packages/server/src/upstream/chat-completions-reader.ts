import type { TokenCounts } from "../domain/agent/chat.ts";
import type { ToolCallPart } from "../domain/agent/model-messages.ts";
import { parseForeignJson } from "../domain/json.ts";
import { GrowingText } from "./growing-text.ts";
import { LineReader } from "./line-reader.ts";
import { ModelFault } from "./model-fault.ts";

export interface ChatListener {
  onText(text: string): void;
  /** The model does something, though it says nothing: thinks, or writes the arguments of a tool. */
  onActivity(): void;
}

export interface ChatStep {
  readonly calls: readonly ToolCallPart[];
  readonly finishReason: string | undefined;
  readonly tokens: TokenCounts;
}

/** As providers count; any of it may be missing. */
interface ChatUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
}

interface Chunk {
  readonly error?: unknown;
  readonly usage?: ChatUsage | null;
  readonly choices?: readonly {
    readonly finish_reason?: string | null;
    readonly delta?: Delta | null;
  }[];
}

interface Delta {
  readonly content?: string | readonly { readonly type?: string; readonly text?: string }[] | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly CallDelta[] | null;
}

interface CallDelta {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null;
}

const MAX_LINE_BYTES = 2_000_000;
const MAX_LINES = 1_000_000;
const MAX_CALLS = 128;
/** Of all calls together. */
const MAX_ARGUMENTS_LENGTH = 1_000_000;
const MAX_NAME_LENGTH = 1_000;
/** A shorter text cannot hold enough to hurt, and one is read for every token. */
const HARMLESS_LENGTH = 10_000;
const FINISH_REASONS = new Set(["stop", "length", "tool_calls", "content_filter"]);

/** Reads the chunks of one streamed answer. Anything that is not one is a failure; nothing of it is passed on. */
export class ChatReader {
  readonly #listener: ChatListener;
  readonly #lines = new LineReader({
    maxLineBytes: MAX_LINE_BYTES,
    maxLines: MAX_LINES,
    onExceeded: () => new ModelFault("reply_invalid"),
  });
  readonly #calls: { id: string | undefined; name: string; input: GrowingText }[] = [];
  #argumentsLength = 0;
  #finishReason: string | undefined;
  #usage: ChatUsage | undefined;
  #done = false;

  constructor(listener: ChatListener) {
    this.#listener = listener;
  }

  push(bytes: Uint8Array): void {
    for (const line of this.#lines.push(bytes)) this.#readLine(line);
  }

  end(): ChatStep {
    this.#readLine(this.#lines.end());
    // An answer that just stops has been cut off.
    if (!this.#done && this.#finishReason === undefined) throw new ModelFault("reply_invalid");
    const calls = this.#calls.map(({ id, name, input }, at) => ({
      type: "tool-call" as const,
      toolCallId: id ?? `call_${at}`,
      toolName: name,
      input: parseInput(input.toString()),
    }));
    // Kept and told to others, so it is a word of ours and not whatever the provider sent.
    const finishReason =
      this.#finishReason === undefined || FINISH_REASONS.has(this.#finishReason)
        ? this.#finishReason
        : "other";
    return { calls, finishReason, tokens: tokensOf(this.#usage) };
  }

  #readLine(line: string): void {
    if (!line.startsWith("data:")) return;
    const data = line.slice(5).trim();
    if (data === "[DONE]") this.#done = true;
    else if (data !== "") this.#readChunk(parseChunk(data));
  }

  #readChunk({ error, usage, choices }: Chunk): void {
    if (error !== undefined && error !== null) throw new ModelFault("reply_failed");
    if (usage) this.#usage = usage;
    const choice = choices?.[0];
    if (!choice) return;
    if (choice.finish_reason) this.#finishReason = choice.finish_reason;
    if (choice.delta) this.#readDelta(choice.delta);
  }

  #readDelta({ content, refusal, reasoning_content, reasoning, tool_calls }: Delta): void {
    const text = textOf(content) || textOf(refusal);
    if (text !== "") this.#listener.onText(text);
    if (tool_calls) for (const call of tool_calls) this.#readCall(call);
    if (tool_calls?.length || reasoning_content || reasoning) this.#listener.onActivity();
  }

  /** Arguments come in pieces; some providers leave the index out and send each call whole. */
  #readCall({ index, id, function: called }: CallDelta): void {
    const at = index ?? (id ? this.#calls.length : Math.max(0, this.#calls.length - 1));
    if (!Number.isInteger(at) || at < 0 || at > this.#calls.length || at >= MAX_CALLS)
      throw new ModelFault("reply_invalid");
    const call = (this.#calls[at] ??= { id: undefined, name: "", input: new GrowingText() });
    call.id ??= shortText(id);
    call.name ||= shortText(called?.name) ?? "";
    const piece: unknown = called?.arguments ?? "";
    if (typeof piece !== "string") throw new ModelFault("reply_invalid");
    this.#argumentsLength += piece.length;
    if (this.#argumentsLength > MAX_ARGUMENTS_LENGTH) throw new ModelFault("reply_invalid");
    call.input.add(piece);
  }
}

function tokensOf(usage: ChatUsage | undefined): TokenCounts {
  const counted = {
    inputTokens: usage?.prompt_tokens,
    cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens,
    outputTokens: usage?.completion_tokens,
    reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens,
  };
  return Object.fromEntries(
    Object.entries(counted).filter(([, tokens]) => Number.isSafeInteger(tokens) && Number(tokens) >= 0),
  );
}

function parseChunk(data: string): Chunk {
  try {
    const chunk: unknown = data.length < HARMLESS_LENGTH ? JSON.parse(data) : parseForeignJson(data);
    if (typeof chunk === "object" && chunk !== null) return chunk;
  } catch {
    // Falls through to the failure: what was sent is nobody's to read.
  }
  throw new ModelFault("reply_invalid");
}

function textOf(content: Delta["content"]): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { type?: string; text?: string }) => (part.type === "text" ? (part.text ?? "") : ""))
    .join("");
}

/** Names and ids are kept with the reply and sent back. */
function shortText(text: unknown): string | undefined {
  if (text === undefined || text === null) return undefined;
  if (typeof text !== "string" || text.length > MAX_NAME_LENGTH) throw new ModelFault("reply_invalid");
  return text;
}

/** Models do write arguments that are no JSON; the tool then says so to the model. */
function parseInput(text: string): unknown {
  try {
    return text === "" ? {} : parseForeignJson(text);
  } catch {
    return text;
  }
}
