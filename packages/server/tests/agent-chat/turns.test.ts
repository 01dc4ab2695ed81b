import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService } from "../support/service.ts";
import { type ChatTest, chatClient, collect, gate, quickSettings, startChat, eventually } from "./support.ts";

let chat: ChatTest;
const gates = new Map<string, ReturnType<typeof gate>>();
const gateOf = (name: string) => {
  const known = gates.get(name) ?? gate();
  gates.set(name, known);
  return known;
};

beforeAll(async () => {
  chat = await startChat({
    // `hold:x` waits before its first word until the test opens the gate x.
    upstream: ({ body }) => {
      const message = String(body.messages.at(-1)?.content);
      const held = /hold:(\w+)/.exec(message)?.[1];
      return {
        text: `reply to ${message}`,
        ...(held && { beforeChunk: (index: number) => (index === 0 ? gateOf(held).opened : undefined) }),
      };
    },
  });
});
afterAll(() => chat.stop());

it("answers messages of one session one after the other, in the order of their arrival", async () => {
  const session = await chat.createSession("agent_model");
  const requestsBefore = chat.upstream.requests.length;
  const first = chat.say("agent_model", session, "hold:order");
  await eventually(() => chat.upstream.requests.length).toBe(requestsBefore + 1);
  const second = chat.say("agent_model", session, "second");
  await eventually(() => openTurns(session)).toBe(2);
  const third = chat.say("agent_model", session, "third");
  await eventually(() => openTurns(session)).toBe(3);
  expect(chat.upstream.requests.length).toBe(requestsBefore + 1);
  gateOf("order").open();
  const texts = (await Promise.all([first, second, third])).map(({ body }) => body.data.text);
  expect(texts).toEqual(["reply to hold:order", "reply to second", "reply to third"]);
  const asked = chat.upstream.requests.slice(requestsBefore).map(({ body }) => body.messages.at(-1)?.content);
  expect(asked).toEqual(["hold:order", "second", "third"]);
});

it("lets eight messages wait and refuses the ninth with 409 and a time to come back", async () => {
  const session = await chat.createSession("agent_model");
  const waiting = [chat.say("agent_model", session, "hold:crowd")];
  await eventually(() => openTurns(session)).toBe(1);
  for (let count = 0; count < 8; count++) waiting.push(chat.say("agent_model", session, `waiting ${count}`));
  await eventually(() => openTurns(session)).toBe(9);
  const refused = await chat.say("agent_model", session, "too many");
  expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
    409,
    "session_busy",
    "1",
  ]);
  gateOf("crowd").open();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(9).fill(200));
});

it("carries only its own turn on the stream of a message", async () => {
  const session = await chat.createSession("agent_model");
  const first = chat.say("agent_model", session, "hold:own");
  await eventually(() => openTurns(session)).toBe(1);
  const secondStream = chat.stream("agent_model", session, "mine");
  await eventually(() => openTurns(session)).toBe(2);
  gateOf("own").open();
  await first;
  const events = await collect(await secondStream);
  expect(events.at(-1)!.data).toEqual({ type: "done", text: "reply to mine" });
  expect(events.filter(({ data }) => data?.type === "done")).toHaveLength(1);
});

it("keeps one reply at a time in a session across processes", async () => {
  const other = await startTestService(
    {},
    { database: chat.service.database, chatSettings: quickSettings() },
  );
  try {
    const session = await chat.createSession("agent_model");
    const clients = [chat, chatClient(other.address, chat.keys.one)];
    const first = chat.say("agent_model", session, "hold:both");
    await eventually(() => openTurns(session)).toBe(1);
    const rest = [0, 1, 2, 3].map((at) => clients[at % 2]!.say("agent_model", session, `message ${at}`));
    await eventually(() => openTurns(session)).toBe(5);
    gateOf("both").open();
    for (const answer of await Promise.all([first, ...rest])) expect(answer.status).toBe(200);
    const { rows } = await chat.db.query(
      `SELECT a.number FROM agent_turns a JOIN agent_turns b USING (organization_id, session_id)
        WHERE a.session_id = $1 AND b.number = a.number + 1 AND b.started_at < a.ended_at`,
      [session],
    );
    expect(rows).toEqual([]);
  } finally {
    await other.stop();
  }
});

async function openTurns(session: string): Promise<number> {
  const { rows } = await chat.db.query(
    `SELECT count(*)::int AS count FROM agent_turns WHERE session_id = $1 AND status IN ('queued', 'running')`,
    [session],
  );
  return rows[0].count;
}
