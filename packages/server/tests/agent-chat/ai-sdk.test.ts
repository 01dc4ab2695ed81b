import { type ChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MillraceChatTransport } from "@millrace/client/ai-sdk";
import { HELD_TEXT, startHoldingChat } from "./support.ts";

let chat: Awaited<ReturnType<typeof startHoldingChat>>;
beforeAll(async () => {
  chat = await startHoldingChat();
});
afterAll(() => chat.stop());

const user = (text: string): UIMessage => ({ id: text, role: "user", parts: [{ type: "text", text }] });

function transportOf(options: Partial<ConstructorParameters<typeof MillraceChatTransport>[0]> = {}) {
  const transport = new MillraceChatTransport({
    agentId: "agent_model",
    baseUrl: chat.service.address,
    apiKey: chat.keys.one,
    ...options,
  });
  // The package's own type of a transport takes it.
  return transport satisfies ChatTransport<UIMessage> as ChatTransport<UIMessage>;
}

function sending(transport: ChatTransport<UIMessage>, text: string, chatId = "chat") {
  const messages = [user(text)];
  return transport.sendMessages({
    trigger: "submit-message",
    chatId,
    messageId: undefined,
    messages,
    abortSignal: undefined,
  });
}

async function lastOf(stream: Awaited<ReturnType<typeof sending>>): Promise<UIMessage> {
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream })) last = message;
  return last!;
}

const textOf = (message: UIMessage) =>
  message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");

it("is read by the AI SDK, one session for one chat", async () => {
  const sessions: string[] = [];
  const transport = transportOf({ onSession: (_chatId, sessionId) => sessions.push(sessionId) });
  expect(textOf(await lastOf(await sending(transport, "Hello")))).toBe(HELD_TEXT);
  await lastOf(await sending(transport, "again"));
  await lastOf(await sending(transport, "elsewhere", "other"));
  expect(new Set(sessions).size).toBe(2);
  expect(sessions).toHaveLength(2);
});

it("comes back to a reply that is being written, and finds none where there is none", async () => {
  const { session } = await chat.runningSession();
  const transport = transportOf({ sessions: { chat: session } });
  const stream = await transport.reconnectToStream({ chatId: "chat" });
  chat.letGo();
  expect(textOf(await lastOf(stream!))).toBe(HELD_TEXT);
  expect(await transport.reconnectToStream({ chatId: "chat" })).toBeNull();
  expect(await transport.reconnectToStream({ chatId: "unknown" })).toBeNull();
});

it("fails with the words of the service, and tries again with the next message", async () => {
  const refused = transportOf({ apiKey: "mr_org_wrong" });
  await expect(sending(refused, "Hello")).rejects.toThrow("Authentication required");
  const gone = transportOf({ sessions: { chat: "session_0123456789" } });
  await expect(sending(gone, "Hello")).rejects.toThrow();
  await expect(
    transportOf().sendMessages({
      trigger: "regenerate-message",
      chatId: "c",
      messageId: "m",
      messages: [user("x")],
      abortSignal: undefined,
    }),
  ).rejects.toThrow("cannot be made again");
});
