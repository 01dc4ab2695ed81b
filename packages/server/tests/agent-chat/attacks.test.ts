import { afterAll, beforeAll, expect, it } from "vitest";
import { deleteAgent } from "../../src/storage/catalogue/delete-agent.ts";
import { collect, eventually, HELD_TEXT, startHoldingChat } from "./support.ts";

// Of one organization: it leaves a quarter to others.
const MAX_FOLLOWERS = 30;
let chat: Awaited<ReturnType<typeof startHoldingChat>>;
beforeAll(async () => {
  chat = await startHoldingChat({ maxFollowers: 40 });
});
afterAll(() => chat.stop());

const streamPath = (session: string, agentId = "agent_model") =>
  `/api/agents/${agentId}/sessions/${session}/stream`;

it("lets nobody follow the session of another organization, with whatever agent they name", async () => {
  const { session } = await chat.runningSession();
  const asked = async (key: string, path: string) => {
    const { status, body } = await chat.service.get(path, key);
    return [status, body.code];
  };
  const { two, user } = chat.keys;
  expect(await asked(two, streamPath(session))).toEqual([403, "organization_access_denied"]);
  expect(await asked(two, streamPath(session, "agent_two"))).toEqual([404, "session_not_found"]);
  // A user of both organizations gets no further by mixing them.
  const mixed = `${streamPath(session, "agent_two")}?organizationId=org_two`;
  expect(await asked(user, mixed)).toEqual([404, "session_not_found"]);
  chat.letGo();
});

it.each(["a%00b", "..%2f..", "session_%27;--", "%F0%9F%A6%86", `session_${"x".repeat(300)}`])(
  "finds no session %s",
  async (id) => {
    expect((await chat.service.get(streamPath(id), chat.keys.one)).status).toBe(404);
  },
);

it.each(["-1", "+1", "0x1", "1, 2", "NaN", "Infinity", "9".repeat(16), "9".repeat(400)])(
  "refuses the header Last-Event-ID: %s with 400",
  async (lastEventId) => {
    const session = await chat.createSession("agent_model");
    const { status } = await chat.resume("agent_model", session, lastEventId);
    expect(status).toBe(400);
  },
);

it("gives every reader of one reply the same events, however they come and go", async () => {
  const { session, seen, stream } = await chat.runningSession();
  const readers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => chat.resume("agent_model", session, at % 2 ? 0 : undefined)),
  );
  for (const reader of readers.slice(0, 10)) reader.leave();
  chat.letGo();
  const rest = await collect(stream);
  for (const reader of readers.slice(10)) {
    expect((await collect(reader)).filter(({ data }) => data)).toEqual([...seen, ...rest].slice(1));
  }
});

it("lets only so many follow at once, and gives their places to others when they leave", async () => {
  const { session } = await chat.runningSession();
  const follow = () => chat.resume("agent_model", session);
  const readers = await Promise.all(Array.from({ length: MAX_FOLLOWERS - 1 }, follow));
  expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await follow();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  for (const reader of readers) reader.leave();
  await eventually(async () => {
    const again = await follow();
    again.leave();
    return again.status;
  }).toBe(200);
  chat.letGo();
});

it("ends the running reply of an agent that is deleted, and refuses what waits behind it", async () => {
  const { session, stream } = await chat.runningSession();
  const waiting = chat.say("agent_model", session, "next");
  await eventually(
    async () => (await chat.db.query(`SELECT FROM agent_turns WHERE session_id = $1`, [session])).rowCount,
  ).toBe(2);
  await deleteAgent(chat.db, "agent_model");
  try {
    expect((await chat.resume("agent_model", session, 0)).status).toBe(404);
    expect((await chat.say("agent_model", session, "another")).status).toBe(404);
    chat.letGo();
    expect((await collect(stream)).at(-1)!.data).toEqual({ type: "done", text: HELD_TEXT });
    expect([(await waiting).status, (await waiting).body.code]).toEqual([502, "upstream_failed"]);
  } finally {
    await chat.db.query(`UPDATE agents SET deleted_at = NULL WHERE id = 'agent_model'`);
  }
});

it.each(["a\0b", "\ud800"])("refuses the message %j with 400", async (message) => {
  const session = await chat.createSession("agent_model");
  expect((await chat.say("agent_model", session, message)).status).toBe(400);
});
