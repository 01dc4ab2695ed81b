import { afterAll, beforeAll, expect, it } from "vitest";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { FlowLibrary } from "../../src/operations/flows/flow-library.ts";
import { IdMaker } from "../../src/domain/ids.ts";
import { type FlowMessage, sendFlowMessage } from "../../src/operations/agent-chat/send-flow-message.ts";
import { TurnRunner } from "../../src/operations/agent-chat/turn-runner.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { McpTools } from "../../src/upstream/agent-tools.ts";
import { createGuardedHttp } from "../../src/upstream/guarded-http/client.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type OpenAiServer, startOpenAiServer } from "../support/openai-server.ts";
import { testSecretKey } from "../support/service.ts";
import { addAgent, addTwoOrganizations } from "../support/workspace.ts";
import { gate, quickSettings, eventually } from "./support.ts";

let database: TestDatabase;
let upstream: OpenAiServer;
let runner: TurnRunner;
let send: (message: FlowMessage) => ReturnType<typeof sendFlowMessage>;
const ids = new IdMaker(() => Date.now());
const http = createGuardedHttp({ guard: createAddressGuard({ allow: ["127.0.0.0/8"] }) });
const held = gate();
const signal = new AbortController().signal;

beforeAll(async () => {
  database = await createTestDatabase();
  const db = database.pool;
  upstream = await startOpenAiServer(({ body }) => {
    const last = body.messages.at(-1)!;
    return {
      text: `${body.messages.length} messages`,
      ...(last.content === "hold" && { beforeChunk: () => held.opened }),
    };
  });
  await addTwoOrganizations(db);
  await addAgent(db, "org_one", "agent_model", {
    provider: { type: "openai-compatible", baseUrl: upstream.baseUrl, model: "m" },
  });
  const settings = quickSettings();
  runner = new TurnRunner({
    db,
    ids,
    now: () => new Date(),
    secrets: new SecretBox(testSecretKey),
    http,
    mcpTools: new McpTools(http),
    library: new FlowLibrary(db, nodeTypes),
    runFlowTool: () => Promise.reject(new Error("No agent here has tools.")),
    settings,
    logger: createLogger({ level: "silent", format: "json", terminal: false }),
  });
  send = (message) => sendFlowMessage({ db, ids, runner, settings }, message);
});
afterAll(async () => {
  held.open();
  await runner.stop();
  await http.close();
  await upstream.close();
  await database.drop();
});

const say = (message: string, sessionKey?: string, agentId = "agent_model", organizationId = "org_one") =>
  send({ organizationId, agentId, message, depth: 0, signal, ...(sessionKey && { sessionKey }) });

it("answers a flow's message in a session of its own", async () => {
  const [one, two] = [await say("hi"), await say("hi")];
  expect(one.text).toBe("1 messages");
  expect(two.text).toBe("1 messages");
  expect(two.sessionId).not.toBe(one.sessionId);
});

it("keeps messages with the same key in the same session, also when they come at once", async () => {
  const [one, two] = await Promise.all([say("hi", "user-7"), say("hi", "user-7")]);
  expect(two.sessionId).toBe(one.sessionId);
  expect([one.text, two.text].sort()).toEqual(["1 messages", "3 messages"]);
  expect((await say("hi", "user-8")).sessionId).not.toBe(one.sessionId);
});

it("replaces what the database cannot keep, in messages and in keys", async () => {
  const { sessionId } = await say("a\0b\ud800", "user\0-9");
  expect(upstream.requests.at(-1)!.body.messages.at(-1)!.content).toBe("a\ufffdb\ufffd");
  expect((await say("hi", "user\ufffd-9")).sessionId).toBe(sessionId);
});

it("refuses an agent of another organization as one that is not there", async () => {
  await expect(say("hi", undefined, "agent_two")).rejects.toMatchObject({ name: "AgentNotFound" });
});

it("stops waiting when the run is canceled, while the reply goes on", async () => {
  const canceled = new AbortController();
  const waiting = send({
    organizationId: "org_one",
    agentId: "agent_model",
    message: "hold",
    sessionKey: "c",
    depth: 0,
    signal: canceled.signal,
  });
  await eventually(() => upstream.requests.some(({ body }) => body.messages.at(-1)!.content === "hold")).toBe(
    true,
  );
  canceled.abort(new Error("canceled"));
  await expect(waiting).rejects.toThrow("canceled");
  held.open();
  await eventually(
    async () =>
      (await database.pool.query(`SELECT status FROM agent_turns WHERE user_text = 'hold'`)).rows[0],
  ).toEqual({ status: "completed" });
});
