import { useCallback, useEffect, useRef, useState } from "react";
import { type ChatEvent, resumeReply, sendMessage } from "../../api/agents.ts";

interface ChatMessage {
  readonly by: "me" | "agent";
  readonly text: string;
  readonly failed?: boolean;
}

interface Chat {
  readonly messages: readonly ChatMessage[];
  readonly writing: boolean;
  readonly error: unknown;
  send(message: string): void;
}

/**
 * What was said in a session, kept for this tab. A reply goes on in the service when the page is left, and is taken up
 * again from its start when the page comes back.
 */
export function useChat(agentId: string, sessionId: string | undefined): Chat {
  const key = `millrace.chat.${sessionId}`;
  const [messages, setMessages] = useState<readonly ChatMessage[]>([]);
  const [writing, setWriting] = useState(false);
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
          if (event.type === "text-delta") continue;
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
    return () => controller.abort();
  }, [agentId, sessionId, key, follow]);

  const send = (message: string) => {
    if (sessionId === undefined) return;
    const { signal } = stop.current!;
    setMessages((before) => [...before, { by: "me", text: message }]);
    setWriting(true);
    sessionStorage.setItem(`${key}.open`, "1");
    void follow(sendMessage(agentId, sessionId, message, signal), signal);
  };
  return { messages, writing, error, send };
}

function withEvent(before: readonly ChatMessage[], event: ChatEvent): readonly ChatMessage[] {
  const last = before.at(-1);
  const written = last?.by === "agent" ? last : undefined;
  const earlier = written ? before.slice(0, -1) : before;
  if (event.type === "text-delta")
    return [...earlier, { by: "agent", text: (written?.text ?? "") + event.delta }];
  if (event.type === "done") return [...earlier, { by: "agent", text: event.text }];
  return [...before, { by: "agent", text: event.error, failed: true }];
}

function readKept(key: string): ChatMessage[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]") as ChatMessage[];
  } catch {
    return [];
  }
}
