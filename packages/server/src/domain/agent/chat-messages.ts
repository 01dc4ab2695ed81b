/** A message as OpenAI's clients send it. */
export interface ChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant";
  readonly content?: string | readonly { readonly text: string }[] | null | undefined;
}

/** What was said before, in turns, and what is to be answered. */
export interface GivenChat {
  readonly earlier: readonly { readonly message: string; readonly reply: string }[];
  readonly message: string;
}

/**
 * Turns of a conversation that the caller keeps. Instructions go with the message that follows them: an agent's own stay in
 * its design. Undefined where the last word is not the user's.
 */
export function toGivenChat(messages: readonly ChatMessage[]): GivenChat | undefined {
  const earlier: { message: string; reply: string }[] = [];
  let asked: string[] = [];
  let replied: string[] = [];
  for (const { role, content } of messages) {
    const text = textOf(content);
    if (role === "assistant") {
      replied.push(text);
      continue;
    }
    if (replied.length > 0) {
      earlier.push({ message: joined(asked), reply: joined(replied) });
      [asked, replied] = [[], []];
    }
    asked.push(text);
  }
  const message = joined(asked);
  const isAsked = messages.at(-1)?.role === "user" && replied.length === 0 && message !== "";
  return isAsked ? { earlier, message } : undefined;
}

function textOf(content: ChatMessage["content"]): string {
  if (content === null || content === undefined) return "";
  return typeof content === "string" ? content : content.map(({ text }) => text).join("");
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}
