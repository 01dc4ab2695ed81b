import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addAgent } from "../support/workspace.ts";
import { type ChatTest, startChat } from "./support.ts";

let chat: ChatTest;
let session: string;
beforeAll(async () => {
  chat = await startChat();
  await addAgent(chat.db, "org_one", "agent_other");
  await addAgent(chat.db, "org_one", "agent_passive");
  session = await chat.createSession("agent_one");
});
afterAll(() => chat.stop());

type Call = { key: string; agent?: string; session?: string; body?: object; query?: string; accept?: string };
const send = (method: string, path: string, { key, body, accept }: Call) =>
  chat.service.send(method, path, {
    key,
    ...(body && { body }),
    ...(accept !== undefined && { headers: { accept } }),
  });
const sessions = (call: Call) =>
  send("POST", `/api/agents/${call.agent ?? "agent_one"}/sessions`, { body: {}, ...call });
const messages = (call: Call) =>
  send("POST", `/api/agents/${call.agent ?? "agent_one"}/sessions/${call.session ?? session}/messages`, {
    ...call,
    body: { message: "hi", ...call.body },
  });
const stream = (call: Call) =>
  send(
    "GET",
    `/api/agents/${call.agent ?? "agent_one"}/sessions/${call.session ?? session}/stream${call.query ?? ""}`,
    call,
  );

const required = [{ path: ["organizationId"], message: "is required with a user-scoped key" }];

describe("an organization key", () => {
  it("may leave the organization out or name its own", async () => {
    expect((await sessions({ key: chat.keys.one })).status).toBe(200);
    expect((await sessions({ key: chat.keys.one, body: { organizationId: "org_one" } })).status).toBe(200);
  });

  it("gets 403 for another organization's id and for another organization's agent", async () => {
    const { key } = { key: chat.keys.one };
    const other = { organizationId: "org_two" };
    expect((await sessions({ key, body: other })).status).toBe(403);
    expect((await messages({ key, body: other })).status).toBe(403);
    expect((await stream({ key, query: "?organizationId=org_two" })).status).toBe(403);
    expect((await sessions({ key, agent: "agent_two" })).status).toBe(403);
  });
});

describe("a user key", () => {
  it("must say for which organization it speaks", async () => {
    const key = chat.keys.user;
    for (const answer of [await sessions({ key }), await messages({ key }), await stream({ key })]) {
      expect(answer.status).toBe(400);
      expect(answer.body.issues).toEqual(required);
    }
    expect((await sessions({ key, body: { organizationId: "org_one" } })).status).toBe(200);
    expect((await messages({ key, body: { organizationId: "org_one" } })).status).toBe(200);
  });
});

it("finds no session under another agent, in another organization, or where there is none", async () => {
  const key = chat.keys.one;
  const absent = `session_${"0".repeat(24)}`;
  expect((await messages({ key, agent: "agent_other" })).body.code).toBe("session_not_found");
  expect((await stream({ key, agent: "agent_other" })).body.code).toBe("session_not_found");
  expect((await messages({ key: chat.keys.two, agent: "agent_two" })).body.code).toBe("session_not_found");
  expect((await messages({ key, session: absent })).status).toBe(404);
  expect((await stream({ key, session: "nonsense" })).body.code).toBe("session_not_found");
  expect((await sessions({ key, agent: "agent_absent" })).body.code).toBe("agent_not_found");
});

it("lets those who only look follow a chat but not take part", async () => {
  const key = chat.keys.viewer;
  expect((await sessions({ key })).status).toBe(403);
  expect((await messages({ key })).status).toBe(403);
  expect((await stream({ key, query: "?lastEventId=999" })).status).toBe(204);
});

it("refuses sessions and messages while the agent is passive", async () => {
  const key = chat.keys.one;
  const passive = await chat.createSession("agent_passive");
  await chat.db.query(`UPDATE agents SET active = false WHERE id = 'agent_passive'`);
  expect((await sessions({ key, agent: "agent_passive" })).body.code).toBe("agent_passive");
  const answer = await messages({ key, agent: "agent_passive", session: passive });
  expect([answer.status, answer.body.code]).toEqual([409, "agent_passive"]);
});

it.each([
  ["no message", { message: undefined }],
  ["an empty one", { message: "" }],
  ["a number", { message: 7 }],
  ["32,001 characters", { message: "x".repeat(32_001) }],
])("refuses %s with 400 and says where", async (_, body) => {
  const answer = await messages({ key: chat.keys.one, body });
  expect(answer.status).toBe(400);
  expect(answer.body.issues[0].path).toEqual(["message"]);
});

it("counts characters as people do", async () => {
  const answer = await messages({ key: chat.keys.one, body: { message: "🦆".repeat(32_000) } });
  expect(answer.status).toBe(200);
});

it("refuses a body over 256 KiB with 413", async () => {
  const answer = await messages({ key: chat.keys.one, body: { message: "x", padding: "y".repeat(262_144) } });
  expect([answer.status, answer.body.code]).toEqual([413, "payload_too_large"]);
});

it.each(["-1", "1.5", "abc", "1e3", "99999999999999999999"])(
  "refuses the cursor %s with 400",
  async (cursor) => {
    const answer = await stream({ key: chat.keys.one, query: `?lastEventId=${cursor}` });
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_last_event_id"]);
  },
);

it("streams a reply only to those who ask for event streams", async () => {
  const key = chat.keys.one;
  expect((await messages({ key, accept: "*/*" })).headers.get("content-type")).toContain("json");
  expect((await messages({ key, accept: "text/event-stream;q=0" })).headers.get("content-type")).toContain(
    "json",
  );
  const streamed = await messages({ key, accept: "application/json;q=0.1, text/event-stream" });
  expect(streamed.headers.get("content-type")).toContain("text/event-stream");
});
