import { useCallback, useEffect, useRef, useState } from "react";
import {
  type AgentTurn,
  type ChatEvent,
  readTranscript,
  resumeReply,
  sendMessage,
} from "../../api/agents.ts";

interface ChatMessage {
  readonly by: "me" | "agent" | "tool";
  readonly text: string;
  readonly failed?: boolean;
}

interface Chat {
  readonly messages: readonly ChatMessage[];
  readonly writing: boolean;
  /** The organization hides what was said. */
  readonly hidden: boolean;
  readonly error: unknown;
  send(message: string): void;
}

const REREAD_MS = 2_000;

/**
 * What was said in a session: kept for this tab where it was said here, else read from the service. A reply goes on in
 * the service when the page is left, and is taken up again from its start when the page comes back.
 */
export function useChat(agentId: string, sessionId: string | undefined): Chat {
  const key = `millrace.chat.${sessionId}`;
  const [messages, setMessages] = useState<readonly ChatMessage[]>([]);
  const [writing, setWriting] = useState(false);
  const [hidden, setHidden] = useState(false);
  const [error, setError] = useState<unknown>();
  const stop = useRef<AbortController>(undefined);

  useEffect(() => {
    if (sessionId !== undefined && messages.length > 0) sessionStorage.setItem(key, JSON.stringify(messages));
  }, [key, sessionId, messages]);

  const follow = useCallback(
    async (events: AsyncGenerator<ChatEvent>, signal: AbortSignal) => {
      setError(undefined);
      try {
        for await (const event of events) {
          if (signal.aborted) return;
          setWriting(true);
          setMessages((before) => withEvent(before, event));
          if (event.type !== "done" && event.type !== "error") continue;
          // Only now: a page that is left loses its connection, and the reply goes on. What comes next is another one.
          sessionStorage.removeItem(`${key}.open`);
          if (event.id) sessionStorage.setItem(`${key}.end`, event.id);
        }
      } catch (fault) {
        if (!signal.aborted) setError(fault);
      } finally {
        if (!signal.aborted) setWriting(false);
      }
    },
    [key],
  );

  useEffect(() => {
    const controller = new AbortController();
    stop.current = controller;
    const kept = sessionId === undefined ? [] : readKept(key);
    // A reply that was cut off is told again from its start.
    const last = kept.at(-1);
    setMessages(last?.by === "agent" && sessionStorage.getItem(`${key}.open`) ? kept.slice(0, -1) : kept);
    if (sessionId !== undefined && sessionStorage.getItem(`${key}.open`))
      void follow(
        resumeReply(agentId, sessionId, sessionStorage.getItem(`${key}.end`) ?? "0", controller.signal),
        controller.signal,
      );
    else if (sessionId !== undefined && kept.length === 0) void read(sessionId, controller.signal);
    return () => controller.abort();

    async function read(id: string, signal: AbortSignal): Promise<void> {
      try {
        for (;;) {
          const turns = await readTranscript(agentId, id, signal);
          if (signal.aborted) return;
          const open = turns.some(({ status }) => status === "queued" || status === "running");
          setHidden(turns.some(({ valuesHidden }) => valuesHidden));
          setMessages(turns.flatMap(messagesOf));
          setWriting(open);
          if (!open) return;
          await new Promise((resolve) => setTimeout(resolve, REREAD_MS));
        }
      } catch (fault) {
        if (!signal.aborted) setError(fault);
      }
    }
  }, [agentId, sessionId, key, follow]);

  const send = (message: string) => {
    if (sessionId === undefined) return;
    const { signal } = stop.current!;
    setMessages((before) => [...before, { by: "me", text: message }]);
    setWriting(true);
    sessionStorage.setItem(`${key}.open`, "1");
    void follow(sendMessage(agentId, sessionId, message, signal), signal);
  };
  return { messages, writing, hidden, error, send };
}

function messagesOf({ message, reply, error }: AgentTurn): ChatMessage[] {
  return [
    ...(message === undefined ? [] : [{ by: "me" as const, text: message }]),
    ...(reply === undefined ? [] : [{ by: "agent" as const, text: reply }]),
    ...(error === undefined ? [] : [{ by: "agent" as const, text: error, failed: true }]),
  ];
}

function withEvent(before: readonly ChatMessage[], event: ChatEvent): readonly ChatMessage[] {
  const last = before.at(-1);
  const written = last?.by === "agent" ? last : undefined;
  const earlier = written ? before.slice(0, -1) : before;
  if (event.type === "text-delta")
    return [...earlier, { by: "agent", text: (written?.text ?? "") + event.delta }];
  if (event.type === "done") {
    // It holds the whole reply, also what was said before a tool was called.
    const asked = before.findLastIndex(({ by }) => by === "me") + 1;
    const tools = before.slice(asked).filter(({ by }) => by === "tool");
    return [...before.slice(0, asked), ...tools, { by: "agent", text: event.text }];
  }
  if (event.type === "error") return [...before, { by: "agent", text: event.error, failed: true }];
  // What a tool answered is between it and the agent.
  const { type, toolName } = event as { type: string; toolName?: unknown };
  return type === "tool-call" && typeof toolName === "string"
    ? [...before, { by: "tool", text: toolName }]
    : before;
}

function readKept(key: string): ChatMessage[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]") as ChatMessage[];
  } catch {
    return [];
  }
}
