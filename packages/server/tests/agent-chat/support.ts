import { expect } from "vitest";
import { type ChatSettings, defaultChatSettings } from "../../src/operations/agent-chat/chat-settings.ts";
import { secretPlace } from "../../src/domain/secret-place.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import type { RawDb } from "../support/database.ts";
import { type OpenAiReply, type OpenAiRequest, startOpenAiServer } from "../support/openai-server.ts";
import { startTestService, testSecretKey } from "../support/service.ts";
import { addAgent, addTwoOrganizations } from "../support/workspace.ts";
import type { TestDatabase } from "../support/database.ts";
import type { Logger } from "../../src/telemetry/logger.ts";

export interface SseEvent {
  readonly id: number;
  /** Missing in the priming block. */
  readonly data?: { type: string; delta?: string; text?: string; error?: string };
}

export interface OpenStream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: AsyncGenerator<SseEvent>;
  /** Goes away in the middle, as clients do. */
  leave(): void;
}

export interface ChatTestOptions {
  readonly settings?: Partial<Omit<ChatSettings, "reply">> & { reply?: Partial<ChatSettings["reply"]> };
  readonly upstream?: (request: OpenAiRequest, index: number) => OpenAiReply;
  readonly design?: object;
  readonly database?: TestDatabase;
  readonly logger?: Logger;
}

export const quickSettings = (settings: ChatTestOptions["settings"] = {}): ChatSettings => ({
  ...defaultChatSettings,
  demoWordMs: 0,
  ...settings,
  reply: { ...defaultChatSettings.reply, retryDelaysMs: [], ...settings.reply },
});

/** The service, a model server of our own, and one agent that uses it: `agent_model` of org_one. */
export async function startChat(options: ChatTestOptions = {}) {
  const upstream = await startOpenAiServer(options.upstream ?? (() => ({ text: "Hello from the model" })));
  const service = await startTestService(
    {},
    {
      chatSettings: quickSettings(options.settings),
      ...(options.database && { database: options.database }),
      ...(options.logger && { logger: options.logger }),
    },
  );
  const db = service.database.pool;
  const keys = await addTwoOrganizations(db);
  await addAgent(db, "org_one", "agent_model", {
    provider: { type: "openai-compatible", baseUrl: upstream.baseUrl, model: "small-1" },
    ...options.design,
  });
  return {
    ...chatClient(service.address, keys.one),
    service,
    upstream,
    db,
    keys,
    stop: async () => {
      await service.stop();
      await upstream.close();
    },
  };
}

export async function addModelCredential(
  db: RawDb,
  organizationId: string,
  id: string,
  secret: object,
): Promise<void> {
  const ciphertext = new SecretBox(testSecretKey).seal(
    secretPlace(organizationId, "credential", id),
    JSON.stringify(secret),
  );
  await db.query(
    `INSERT INTO credentials (organization_id, id, type, allowed_hosts, ciphertext, fingerprint, allow_unencrypted) VALUES ($1, $2, 'model-provider', '{127.0.0.1}', $3, '', true)`,
    [organizationId, id, ciphertext],
  );
}

/** Somebody who wants all events; nobody answers there. */
export async function addListener(db: RawDb, organizationId: string): Promise<void> {
  await db.query(
    `INSERT INTO event_endpoints (organization_id, id, url, events, secret_ciphertext) VALUES ($1, 'hooks', 'http://127.0.0.1:9', '{*}', 'x')`,
    [organizationId],
  );
}

/** What an API client does, over real HTTP. */
export function chatClient(address: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const call = async (method: string, path: string, body?: object, extra: Record<string, string> = {}) => {
    const leaving = new AbortController();
    const answer = await fetch(`${address}/api/agents/${path}`, {
      method,
      headers: { ...headers, ...extra },
      signal: leaving.signal,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { answer, leave: () => leaving.abort() };
  };
  const openStream = async (...request: Parameters<typeof call>): Promise<OpenStream> => {
    const { answer, leave } = await call(...request);
    return { status: answer.status, headers: answer.headers, events: readSse(answer), leave };
  };
  return {
    createSession: async (agentId: string, body: object = {}): Promise<string> => {
      const { answer } = await call("POST", `${agentId}/sessions`, body);
      const made = (await answer.json()) as { data?: { sessionId: string } };
      if (!made.data) throw new Error(`No session: ${answer.status} ${JSON.stringify(made)}`);
      return made.data.sessionId;
    },
    say: async (agentId: string, sessionId: string, message: string, extra: Record<string, string> = {}) => {
      const { answer } = await call("POST", `${agentId}/sessions/${sessionId}/messages`, { message }, extra);
      // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
    },
    stream: (agentId: string, sessionId: string, message: string, extra: Record<string, string> = {}) =>
      openStream(
        "POST",
        `${agentId}/sessions/${sessionId}/messages`,
        { message },
        {
          accept: "text/event-stream",
          ...extra,
        },
      ),
    resume: (agentId: string, sessionId: string, lastEventId?: number | string, query = "") =>
      openStream(
        "GET",
        `${agentId}/sessions/${sessionId}/stream${query}`,
        undefined,
        lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) },
      ),
  };
}

async function* readSse(answer: Response): AsyncGenerator<SseEvent> {
  if (!answer.body || !answer.headers.get("content-type")?.startsWith("text/event-stream")) return;
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of answer.body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop()!;
    for (const block of blocks) {
      const fields = block.split("\n");
      const id = fields.find((line) => line.startsWith("id: "))?.slice(4);
      if (id === undefined) continue;
      const data = fields.find((line) => line.startsWith("data: "))?.slice(6);
      yield { id: Number(id), ...(data !== undefined && { data: JSON.parse(data) }) };
    }
  }
}

export async function collect(stream: OpenStream): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  for await (const event of stream.events) events.push(event);
  return events;
}

export const textOf = (events: readonly SseEvent[]) => events.map(({ data }) => data?.delta ?? "").join("");

/** Waits for a state that comes by itself, with patience for a busy machine. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 60_000, interval: 20 });

/** A gate that a test opens: replies wait at it instead of sleeping. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

export const HELD_TEXT = "one two three four";

/** Every reply is HELD_TEXT; the message `hold` stops before the third word until the test calls `letGo`. */
export async function startHoldingChat(settings: ChatTestOptions["settings"] = {}) {
  let held = gate();
  const chat = await startChat({
    settings: { gatherMs: 0, ...settings },
    upstream: ({ body }) => ({
      text: HELD_TEXT,
      beforeChunk: (index) =>
        index === 2 && body.messages.at(-1)?.content === "hold" ? held.opened : undefined,
    }),
  });
  return {
    ...chat,
    letGo: () => {
      held.open();
      held = gate();
    },
    /** A session whose reply stands after its second word, and what a client has seen of it. */
    runningSession: async () => {
      const session = await chat.createSession("agent_model");
      const stream = await chat.stream("agent_model", session, "hold");
      const seen: SseEvent[] = [];
      while (textOf(seen) !== "one two ") seen.push((await stream.events.next()).value as SseEvent);
      return { session, seen, stream };
    },
  };
}

export type ChatTest = Awaited<ReturnType<typeof startChat>>;
