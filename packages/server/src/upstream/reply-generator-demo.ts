import { setTimeout as sleep } from "node:timers/promises";
import { demoReply } from "../domain/agent/demo-reply.ts";
import { assistantText, type ModelMessage } from "../domain/agent/model-messages.ts";
import { ReplyFailure, type ReplyGenerator } from "./reply-generator.ts";

/** The built-in provider: no model and no network, word by word like a real one. */
export function demoReplyGenerator(wordMs: number): ReplyGenerator {
  return {
    async generate({ messages, signal, onText }) {
      const words = demoReply(lastText(messages));
      const said: string[] = [];
      const result = () => ({
        messages: assistantText(said.join("")),
        usage: { steps: 1, toolCalls: 0, model: "demo", outputTokens: said.length },
      });
      for (const word of words) {
        if (wordMs > 0) await sleep(wordMs, undefined, { signal }).catch(() => {});
        if (signal.aborted) {
          const { reason } = signal;
          return { ...result(), failure: reason instanceof ReplyFailure ? reason.code : "reply_interrupted" };
        }
        said.push(word);
        onText(word);
      }
      return result();
    },
  };
}

function lastText(messages: readonly ModelMessage[]): string {
  const last = messages.at(-1);
  return last?.role === "user" ? last.content.map(({ text }) => text).join("") : "";
}
