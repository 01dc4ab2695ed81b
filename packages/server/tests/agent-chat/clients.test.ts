import {
  HttpChatTransport,
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from "ai";
import { EventSource } from "eventsource";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { HELD_TEXT, startHoldingChat } from "./support.ts";

let chat: Awaited<ReturnType<typeof startHoldingChat>>;
beforeAll(async () => {
  chat = await startHoldingChat();
});
afterAll(() => chat.stop());

it("lets the eventsource package follow a reply, reconnect without repeats, and stop at 204", async () => {
  const { session } = await chat.runningSession();
  const asked: (string | undefined)[] = [];
  const open: AbortController[] = [];
  const source = new EventSource(
    `${chat.service.address}/api/agents/agent_model/sessions/${session}/stream?lastEventId=0`,
    {
      fetch: (url, init) => {
        const headers = {
          ...(init.headers as Record<string, string>),
          authorization: `Bearer ${chat.keys.one}`,
        };
        asked.push((init.headers as Record<string, string>)["Last-Event-ID"]);
        const cut = new AbortController();
        open.push(cut);
        return fetch(url, {
          ...init,
          headers,
          signal: AbortSignal.any([cut.signal, ...(init.signal ? [init.signal] : [])]),
        });
      },
    },
  );
  let text = "";
  const stopped = new Promise<void>((resolve) => {
    source.addEventListener("error", (event) => {
      if (event.code === 204) resolve();
    });
  });
  let cutOnce = false;
  source.addEventListener("message", ({ data }) => {
    const event = JSON.parse(data) as { type: string; delta?: string; text?: string };
    text += event.delta ?? "";
    if (text === "one two " && !cutOnce) {
      // The connection drops in the middle; the package comes back by itself.
      cutOnce = true;
      open.at(-1)!.abort(new Error("connection lost"));
      chat.letGo();
    }
  });
  await stopped;
  source.close();
  expect(text).toBe(HELD_TEXT);
  expect(asked[0]).toBeUndefined();
  expect(Number(asked[1])).toBeGreaterThan(0);
}, 20_000);

const chatEvent = z.object({ type: z.string(), delta: z.string().optional(), text: z.string().optional() });

/** The AI SDK's own transport; all that is ours is the wording of the events. */
class MillraceTransport extends HttpChatTransport<UIMessage> {
  protected override processResponseStream(stream: ReadableStream<Uint8Array>) {
    let started = false;
    return parseJsonEventStream({ stream, schema: chatEvent }).pipeThrough(
      new TransformStream<{ success: boolean; value?: z.infer<typeof chatEvent> }, UIMessageChunk>({
        transform(parsed, controller) {
          if (!parsed.success || !parsed.value) throw new Error("The stream could not be read.");
          const { type, delta } = parsed.value;
          if (!started) controller.enqueue({ type: "text-start", id: "reply" });
          started = true;
          if (type === "text-delta") controller.enqueue({ type: "text-delta", id: "reply", delta: delta! });
          if (type === "done") controller.enqueue({ type: "text-end", id: "reply" });
        },
      }),
    );
  }
}

function transportFor(session: string) {
  const base = `${chat.service.address}/api/agents/agent_model/sessions/${session}`;
  const headers = { authorization: `Bearer ${chat.keys.one}`, accept: "text/event-stream" };
  return new MillraceTransport({
    api: base,
    prepareSendMessagesRequest: ({ messages }) => {
      const part = messages.at(-1)!.parts[0];
      return { api: `${base}/messages`, headers, body: { message: part?.type === "text" ? part.text : "" } };
    },
    prepareReconnectToStreamRequest: () => ({ api: `${base}/stream`, headers }),
  });
}

const say = (text: string) => ({
  chatId: "chat",
  trigger: "submit-message" as const,
  messageId: undefined,
  messages: [{ id: "m1", role: "user" as const, parts: [{ type: "text" as const, text }] }],
  abortSignal: undefined,
});

async function textOfStream(stream: ReadableStream<UIMessageChunk>): Promise<string> {
  let text = "";
  for await (const message of readUIMessageStream({ stream })) {
    const part = message.parts.at(-1);
    if (part?.type === "text") text = part.text;
  }
  return text;
}

it("lets the AI SDK's transport send a message and read the reply", async () => {
  const session = await chat.createSession("agent_model");
  expect(await textOfStream(await transportFor(session).sendMessages(say("go")))).toBe(HELD_TEXT);
});

it("lets the AI SDK's transport reconnect to a running reply, and hear that there is none", async () => {
  const session = await chat.createSession("agent_model");
  const transport = transportFor(session);
  expect(await transport.reconnectToStream({ chatId: "chat" })).toBeNull();
  const first = await transport.sendMessages(say("hold"));
  const resumed = await transport.reconnectToStream({ chatId: "chat" });
  chat.letGo();
  expect(await textOfStream(resumed!)).toBe(HELD_TEXT);
  expect(await textOfStream(first)).toBe(HELD_TEXT);
});
