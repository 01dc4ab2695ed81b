import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type OpenAiServer, startOpenAiServer } from "../support/openai-server.ts";
import { addAgent, addTwoOrganizations } from "../support/workspace.ts";
import { startServiceProcess, type ServiceProcess } from "./service-processes.ts";
import { chatClient, gate, type OpenStream, quickSettings, type SseEvent, eventually } from "./support.ts";

const REPLIES = 60;
const AT_ONCE = 10;
const KILLS = 5;
const WORDS = 40;

let database: TestDatabase;
let upstream: OpenAiServer;
let key: string;
let processes: ServiceProcess[];
const never = gate();
const paused = gate();
const settings = quickSettings({ leaseMs: 2_000, stopMs: 300 });

beforeAll(async () => {
  database = await createTestDatabase();
  // A real pace, so that disconnects and kills meet replies in every state; halves of characters are cut on purpose.
  upstream = await startOpenAiServer(({ body }, index) => ({
    chunks: Array.from({ length: WORDS }, (__, at) => [`${index}`, ".", `${at} `, "\ud83e", "\udd86"]).flat(),
    beforeChunk: (at) => {
      const message = body.messages.at(-1)?.content;
      if (at === 10 && message === "hold") return never.opened;
      if (at === 10 && message === "pause") return paused.opened;
      return at % 5 === 0 ? sleep(10) : undefined;
    },
  }));
  key = (await addTwoOrganizations(database.pool)).one;
  await addAgent(database.pool, "org_one", "agent_model", {
    provider: { type: "openai-compatible", baseUrl: upstream.baseUrl, model: "m" },
  });
  processes = await Promise.all([1, 2, 3].map(() => startServiceProcess(database.connection, settings)));
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  never.open();
  await upstream.close();
  await database.drop();
});

const anyOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
const client = () => chatClient(anyOf(processes).address, key);

/** One reply as an unlucky client sees it: it loses the connection again and again and comes back with its cursor. */
async function chatUnluckily(): Promise<{ session: string; events: SseEvent[] }> {
  const session = await untilDone(() => client().createSession("agent_model"));
  const events: SseEvent[] = [];
  let cursor = 0;
  let sent = false;
  for (let attempt = 0; attempt < 500; attempt++) {
    try {
      const stream: OpenStream = sent
        ? await client().resume("agent_model", session, cursor)
        : await client().stream("agent_model", session, "go");
      // Nothing newer and nothing running: the message never arrived.
      sent = stream.status !== 204;
      let patience = 1 + Math.floor(Math.random() * 30);
      for await (const { id, data } of stream.events) {
        sent = true;
        cursor = id;
        if (data) events.push({ id, data });
        if (--patience === 0) stream.leave();
      }
    } catch {
      // Whether the message arrived is found out by asking, in a moment: a process is being started again.
      sent = true;
      await sleep(20);
    }
    const last = events.at(-1)?.data;
    if (last && last.type !== "text-delta") return { session, events };
  }
  throw new Error("The reply never ended.");
}

async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt > 100) throw error;
      await sleep(20);
    }
  }
}

/** Kills a process that is certainly in the middle of a reply; returns the session of that one. */
async function killAndReplace(): Promise<string> {
  const at = Math.floor(Math.random() * processes.length);
  const doomed = chatClient(processes[at]!.address, key);
  const session = await doomed.createSession("agent_model");
  const stream = await doomed.stream("agent_model", session, "hold");
  await stream.events.next();
  await processes[at]!.kill();
  processes[at] = await startServiceProcess(database.connection, settings);
  return session;
}

it("loses and repeats nothing over disconnects, killed processes and resumes", async () => {
  const results: Awaited<ReturnType<typeof chatUnluckily>>[] = [];
  let begun = 0;
  const clients = Array.from({ length: AT_ONCE }, async () => {
    while (begun++ < REPLIES) results.push(await chatUnluckily());
  });
  const held: string[] = [];
  const killing = (async () => {
    for (let kill = 1; kill <= KILLS; kill++) {
      while (results.length < (kill * REPLIES) / (KILLS + 1)) await sleep(20);
      held.push(await killAndReplace());
    }
  })();
  await Promise.all([...clients, killing]);

  expect(results).toHaveLength(REPLIES);
  for (const { session, events } of results) {
    const { rows } = await database.pool.query(
      `SELECT e.seq, e.type, e.payload, t.reply_text, t.status FROM agent_stream_events e
         JOIN agent_turns t ON t.session_id = e.session_id AND t.number = e.turn WHERE e.session_id = $1 ORDER BY e.seq`,
      [session],
    );
    // Event by event what the log holds: no gap, no repeat, nothing else.
    expect(events.map(({ id, data }) => [id, data!.type])).toEqual(rows.map(({ seq, type }) => [seq, type]));
    const text = events.map(({ data }) => data!.delta ?? "").join("");
    expect(text).toBe(rows.at(-1).reply_text);
    expect(text.isWellFormed()).toBe(true);
    const last = events.at(-1)!.data!;
    if (last.type === "done") expect(last.text).toBe(text);
    else expect(last.error).toBe("Reply interrupted");
  }
  const ends = results.map(({ events }) => events.at(-1)!.data!.type);
  const interrupted = ends.filter((type) => type === "error").length;
  // Kills cost no more than the replies that they met, and those say so.
  expect(interrupted).toBeLessThanOrEqual(KILLS * AT_ONCE);
  await eventually(async () => {
    const { rows } = await database.pool.query(
      `SELECT status, error_code FROM agent_turns WHERE session_id = ANY($1)`,
      [held],
    );
    return rows;
  }).toEqual(held.map(() => ({ status: "failed", error_code: "reply_interrupted" })));
}, 180_000);

it("turns the reply of a killed process into one error within seconds, and begins the next message", async () => {
  const [doomed, survivor] = processes;
  const doomedClient = chatClient(doomed!.address, key);
  const session = await doomedClient.createSession("agent_model");
  const stream = await doomedClient.stream("agent_model", session, "hold");
  for (let count = 0; count < 2; count++) await stream.events.next();
  const next = chatClient(survivor!.address, key).say("agent_model", session, "second");
  const { pool } = database;
  await eventually(
    async () =>
      (await pool.query(`SELECT FROM agent_turns WHERE session_id = $1 AND status = 'queued'`, [session]))
        .rowCount,
  ).toBe(1);
  await doomed!.kill();
  expect((await next).status).toBe(200);
  const { rows } = await pool.query(
    `SELECT status, error_code FROM agent_turns WHERE session_id = $1 ORDER BY number`,
    [session],
  );
  expect(rows).toEqual([
    { status: "failed", error_code: "reply_interrupted" },
    { status: "completed", error_code: null },
  ]);
  processes[0] = await startServiceProcess(database.connection, settings);
});

it("is not ready any more while it ends and delivers the replies that are being written", async () => {
  const patient = await startServiceProcess(database.connection, { ...settings, stopMs: 60_000 });
  const session = await chatClient(patient.address, key).createSession("agent_model");
  const stream = await chatClient(patient.address, key).stream("agent_model", session, "pause");
  const events = [(await stream.events.next()).value as SseEvent];
  const ready = async () => (await fetch(`${patient.address}/readyz`)).status;
  expect(await ready()).toBe(200);
  const ended = patient.terminate();
  await eventually(ready).toBe(503);
  paused.open();
  for await (const event of stream.events) events.push(event);
  await ended;
  const text = events.map(({ data }) => data?.delta ?? "").join("");
  expect(events.at(-1)!.data).toEqual({ type: "done", text });
  expect(text.match(/🦆/g)).toHaveLength(WORDS);
});

it("lets running replies end for a while when asked to stop, then ends them with an honest error", async () => {
  const stopping = processes[0]!;
  const stoppingClient = chatClient(stopping.address, key);
  const session = await stoppingClient.createSession("agent_model");
  const stream = await stoppingClient.stream("agent_model", session, "hold");
  const events: SseEvent[] = [];
  const ended = stopping.terminate();
  for await (const event of stream.events) events.push(event);
  await ended;
  expect(events.at(-1)!.data).toEqual({ type: "error", error: "Reply interrupted" });
  processes[0] = await startServiceProcess(database.connection, settings);
});
