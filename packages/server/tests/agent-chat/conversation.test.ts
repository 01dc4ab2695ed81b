import { afterAll, beforeAll, expect, it } from "vitest";
import { addListener, type ChatTest, collect, startChat, textOf } from "./support.ts";

let chat: ChatTest;
beforeAll(async () => {
  chat = await startChat({
    settings: { history: { turns: 100, characters: 5_000 } },
    upstream: ({ body }) =>
      body.messages.at(-1)?.content === "odd"
        ? { chunks: ["a\0b", "\ud800", "c\ud83e", "\udd86"] }
        : {
            text: `You said ${JSON.stringify(body.messages.at(-1)?.content)} after ${body.messages.length - 1} messages`,
            usage: { promptTokens: 7, completionTokens: 11 },
          },
  });
});
afterAll(() => chat.stop());

it("answers a message with the whole reply", async () => {
  const session = await chat.createSession("agent_model");
  const { status, body } = await chat.say("agent_model", session, "hi");
  expect({ status, body }).toEqual({
    status: 200,
    body: { success: true, data: { text: 'You said "hi" after 0 messages' } },
  });
});

it("gives a session an id and an opaque second name", async () => {
  const { status, body } = await chat.service.send("POST", "/api/agents/agent_model/sessions", {
    key: chat.keys.one,
    body: { organizationId: "org_one", endUserId: "customer-7" },
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    data: {
      sessionId: expect.stringMatching(/^session_[0-9A-Za-z]{24}$/),
      externalId: expect.stringMatching(/^chat_[0-9A-Za-z]{24}$/),
    },
  });
});

it("streams a reply as numbered events whose pieces joined are the text of done", async () => {
  const session = await chat.createSession("agent_model");
  const stream = await chat.stream("agent_model", session, "hi");
  expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(stream.headers.get("cache-control")).toContain("no-cache");
  const events = await collect(stream);
  expect(events[0]).toEqual({ id: 0 });
  expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => at));
  expect(events.at(-1)!.data).toEqual({ type: "done", text: 'You said "hi" after 0 messages' });
  expect(textOf(events)).toBe('You said "hi" after 0 messages');
});

it("numbers the events of a session on across its turns", async () => {
  const session = await chat.createSession("agent_model");
  const first = await collect(await chat.stream("agent_model", session, "one"));
  const second = await collect(await chat.stream("agent_model", session, "two"));
  expect(second[0]!.id).toBe(first.at(-1)!.id);
  expect(second[1]!.id).toBe(first.at(-1)!.id + 1);
});

it("gives the model what was said before", async () => {
  const session = await chat.createSession("agent_model");
  await chat.say("agent_model", session, "one");
  await chat.say("agent_model", session, "two");
  const { messages } = chat.upstream.requests.at(-1)!.body;
  expect(messages).toEqual([
    { role: "user", content: "one" },
    { role: "assistant", content: 'You said "one" after 0 messages' },
    { role: "user", content: "two" },
  ]);
});

it("gives the model no more of the past than fits, and the newest of it", async () => {
  const session = await chat.createSession("agent_model");
  for (const letter of ["Q", "X", "Z"]) await chat.say("agent_model", session, letter.repeat(1_000));
  await chat.say("agent_model", session, "last");
  const { messages } = chat.upstream.requests.at(-1)!.body;
  const letters = messages.map(({ content }) => /[QXZ]/.exec(String(content))?.[0]);
  expect(letters).toEqual(["X", "X", "Z", "Z", undefined]);
});

it("keeps a reply with characters that no database or stream could, as near as can be", async () => {
  const session = await chat.createSession("agent_model");
  const events = await collect(await chat.stream("agent_model", session, "odd"));
  expect(textOf(events)).toBe("a\ufffdb\ufffdc🦆");
  expect(events.at(-1)!.data!.text).toBe("a\ufffdb\ufffdc🦆");
  expect((await chat.say("agent_model", session, "next")).status).toBe(200);
});

it("keeps the usage of every turn", async () => {
  const session = await chat.createSession("agent_model");
  await chat.say("agent_model", session, "count");
  const { rows } = await chat.db.query(`SELECT usage FROM agent_turns WHERE session_id = $1`, [session]);
  expect(rows[0].usage).toMatchObject({
    inputTokens: 7,
    outputTokens: 11,
    steps: 1,
    toolCalls: 0,
    model: "small-1",
    finishReason: "stop",
  });
});

it("streams the demo provider offline, word by word", async () => {
  const session = await chat.createSession("agent_one");
  const events = await collect(await chat.stream("agent_one", session, "Hello there"));
  expect(events.at(-1)!.data).toMatchObject({ type: "done", text: expect.stringContaining("Hello there") });
  expect(textOf(events)).toBe(events.at(-1)!.data!.text);
});

it("tells those who listen that a session began and a message was answered, without a word of it", async () => {
  await addListener(chat.db, "org_one");
  const session = await chat.createSession("agent_model");
  await chat.say("agent_model", session, "secret words");
  const { rows } = await chat.db.query(
    `SELECT type, data FROM events WHERE data::text LIKE '%' || $1 || '%' ORDER BY created_at`,
    [session],
  );
  await chat.db.query(`DELETE FROM event_endpoints`);
  expect(rows.map(({ type }) => type)).toEqual(["agent.session_created", "agent.message_completed"]);
  expect(rows[1].data.message).toMatchObject({ sessionId: session, agentId: "agent_model", number: 1 });
  expect(JSON.stringify(rows)).not.toContain("secret words");
  // What it cost is told; which model the agent uses is its design.
  expect(rows[1].data.message.usage).toMatchObject({
    inputTokens: 7,
    outputTokens: 11,
    finishReason: "stop",
  });
  expect(rows[1].data.message.usage).not.toHaveProperty("model");
});

it("writes no event where nobody listens", async () => {
  const session = await chat.createSession("agent_model");
  await chat.say("agent_model", session, "quiet");
  const { rows } = await chat.db.query(`SELECT FROM events WHERE data::text LIKE '%' || $1 || '%'`, [
    session,
  ]);
  expect(rows).toEqual([]);
});
