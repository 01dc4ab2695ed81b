import { Writable } from "node:stream";
import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OpenAiReply } from "../support/openai-server.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { addAgent } from "../support/workspace.ts";
import {
  addListener,
  addModelCredential,
  type ChatTest,
  collect,
  gate,
  type SseEvent,
  startChat,
  textOf,
} from "./support.ts";

const CANARY = "canary-7f3a9";
let chat: ChatTest;
let fault: OpenAiReply;
const never = gate();
const logged: string[] = [];
const answered: string[] = [];

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _, done) {
      logged.push(String(chunk));
      done();
    },
  });
  chat = await startChat({
    upstream: () => fault,
    settings: {
      holdHeadersMs: 20_000,
      reply: { firstOutputMs: 2_000, betweenOutputsMs: 1_000, replyBytes: 1_000_000 },
    },
    // Everything the service says to its log, without the filter that would hide a careless line.
    logger: pino({ level: "trace" }, sink),
    design: { systemPrompt: `${CANARY}-prompt` },
  });
  await chat.db.query(
    `UPDATE agent_designs SET design = jsonb_set(design, '{provider}', (design -> 'provider') || $1::jsonb) WHERE agent_id = 'agent_model'`,
    [
      JSON.stringify({
        baseUrl: chat.upstream.baseUrl.replace("/v1", `/${CANARY}-path/v1`),
        model: `${CANARY}-model`,
        credential: "cred_llm",
      }),
    ],
  );
  await addListener(chat.db, "org_one");
  await addModelCredential(chat.db, "org_one", "cred_llm", {
    baseUrl: chat.upstream.baseUrl,
    apiKey: `${CANARY}-key`,
  });
});
afterAll(async () => {
  never.open();
  await chat.stop();
});

async function ask(extra: Record<string, string> = {}) {
  const session = await chat.createSession("agent_model");
  const whole = await chat.say("agent_model", session, "hi", extra);
  answered.push(JSON.stringify([whole.body, [...whole.headers]]));
  return whole;
}

/** A reply whose upstream breaks off once the client has read the first words. */
async function askBreaking(session: string, words: number, extra: Record<string, string> = {}) {
  const seen = gate();
  fault = {
    text: "one two three four",
    cutAfterChunks: words,
    beforeChunk: (index) => (index === words ? seen.opened : undefined),
  };
  const stream = await chat.stream("agent_model", session, "first", extra);
  const events: SseEvent[] = [];
  for await (const event of stream.events) {
    events.push(event);
    if (textOf(events).split(" ").length > words) seen.open();
  }
  answered.push(JSON.stringify(events));
  return events;
}

async function askStreaming() {
  const session = await chat.createSession("agent_model");
  const stream = await chat.stream("agent_model", session, "hi");
  const events = await collect(stream);
  answered.push(JSON.stringify(events));
  return { status: stream.status, events, session };
}

const body = `{"error":{"message":"${CANARY}-body"}}`;
it.each<[string, OpenAiReply, number, string]>([
  ["401", { status: 401, body }, 502, "upstream_failed"],
  ["429", { status: 429, body }, 503, "upstream_unavailable"],
  ["500", { status: 500, body }, 502, "upstream_failed"],
  ["503", { status: 503, body }, 503, "upstream_unavailable"],
  ["garbage", { malformed: true, body: `${CANARY} {not json` }, 502, "upstream_failed"],
  [
    "a stream of garbage",
    { body: `data: {"${CANARY}": [}\n\n`, status: 200, headers: { "content-type": "text/event-stream" } },
    502,
    "upstream_failed",
  ],
  [
    "an error inside the stream",
    { body: `data: ${body}\n\ndata: [DONE]\n\n`, status: 200 },
    502,
    "upstream_failed",
  ],
  ["an answer that is cut off at once", { text: "x", cutAfterChunks: 0 }, 503, "upstream_unavailable"],
  [
    "silence before the first word",
    { text: "x", beforeChunk: () => never.opened },
    504,
    "upstream_timed_out",
  ],
])("answers an upstream's %s before the first word as JSON", async (_, reply, status, code) => {
  fault = reply;
  for (const accept of ["application/json", "text/event-stream"]) {
    const answer = await ask({ accept });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  }
});

it("ends a reply that falls silent in the middle with one error event, and keeps what was said", async () => {
  fault = { text: "one two three", beforeChunk: (index) => (index === 2 ? never.opened : undefined) };
  const { status, events, session } = await askStreaming();
  expect(status).toBe(200);
  expect(textOf(events)).toBe("one two ");
  expect(events.at(-1)!.data).toEqual({ type: "error", error: "Agent upstream timed out" });
  expect(events.filter(({ data }) => data && data.type !== "text-delta")).toHaveLength(1);
  const { rows } = await chat.db.query(
    `SELECT status, reply_text, error_code FROM agent_turns WHERE session_id = $1`,
    [session],
  );
  expect(rows).toEqual([{ status: "failed", reply_text: "one two ", error_code: "upstream_timed_out" }]);
});

it("ends a reply whose upstream breaks off with one error event", async () => {
  const events = await askBreaking(await chat.createSession("agent_model"), 2);
  expect(textOf(events)).toBe("one two ");
  expect(events.at(-1)!.data!.type).toBe("error");
});

it("ends a reply of 10 MB at the limit with one error event", async () => {
  fault = { chunks: Array.from({ length: 1_000 }, () => "x".repeat(10_000)) };
  const { events } = await askStreaming();
  expect(textOf(events).length).toBeLessThanOrEqual(1_000_000);
  expect(events.at(-1)!.data).toEqual({ type: "error", error: "Agent upstream failed" });
});

it("opens the stream after a while although nothing was said, and then tells a failure as an event", async () => {
  const slow = await startChat({
    settings: { holdHeadersMs: 50, reply: { firstOutputMs: 500 } },
    upstream: () => ({ text: "x", beforeChunk: () => never.opened }),
  });
  try {
    const session = await slow.createSession("agent_model");
    const stream = await slow.stream("agent_model", session, "hi");
    expect(stream.status).toBe(200);
    expect(await collect(stream)).toEqual([
      { id: 0 },
      { id: 1, data: { type: "error", error: "Agent upstream timed out" } },
    ]);
  } finally {
    await slow.stop();
  }
});

it("tells an error in the language of the caller", async () => {
  const events = await askBreaking(await chat.createSession("agent_model"), 1, { "x-locale": "de" });
  expect(events.at(-1)!.data!.error).toMatch(/^Anbieter des Agenten/);
});

it("goes on with the session after a failure, and gives the model what was said until then", async () => {
  const session = await chat.createSession("agent_model");
  await askBreaking(session, 1);
  fault = { text: "better" };
  expect((await chat.say("agent_model", session, "second")).body.data.text).toBe("better");
  expect(chat.upstream.requests.at(-1)!.body.messages.slice(1)).toEqual([
    { role: "user", content: "first" },
    { role: "assistant", content: "one " },
    { role: "user", content: "second" },
  ]);
});

it("asks again after a refusal that may pass, before anything was said", async () => {
  const busy = await startChat({
    settings: { reply: { retryDelaysMs: [0, 0] } },
    upstream: (_, index) => (index < 2 ? { status: 429 } : { text: "third time lucky" }),
  });
  try {
    const session = await busy.createSession("agent_model");
    expect((await busy.say("agent_model", session, "hi")).body.data.text).toBe("third time lucky");
  } finally {
    await busy.stop();
  }
});

it("never sends the key to a host that the credential does not allow", async () => {
  let heard = 0;
  const stranger = await startLoopbackServer((_, response) => {
    heard += 1;
    response.end();
  });
  await addAgent(chat.db, "org_one", "agent_stray", {
    provider: {
      type: "openai-compatible",
      baseUrl: stranger.url.replace("127.0.0.1", "127.0.0.2"),
      model: "m",
      credential: "cred_llm",
    },
  });
  const session = await chat.createSession("agent_stray");
  expect((await chat.say("agent_stray", session, "hi")).status).toBe(502);
  expect(heard).toBe(0);
  await stranger.close();
});

it("shows, tells and logs nothing of the upstream: not its address, prompt, key, model or answers", async () => {
  const { headers, body: sent, path } = chat.upstream.requests[0]!;
  // The canaries were really there.
  expect(headers.authorization).toBe(`Bearer ${CANARY}-key`);
  expect(path).toContain(`${CANARY}-path`);
  expect(JSON.stringify(sent)).toContain(`${CANARY}-prompt`);
  expect(answered.join()).not.toContain(CANARY);
  for (const path of ["/api/agents", "/api/agents/agent_model", "/metrics"]) {
    const shown = await chat.service.get(path, chat.keys.one);
    expect([path, shown.status, JSON.stringify(shown.body).includes(CANARY)]).toEqual([path, 200, false]);
  }
  const { rows } = await chat.db.query(`SELECT type, data::text FROM events WHERE type LIKE 'agent.%'`);
  expect(new Set(rows.map(({ type }) => type))).toContain("agent.message_failed");
  expect(JSON.stringify(rows)).not.toContain(CANARY);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join()).not.toContain(CANARY);
});
