import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { chain, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { addAgent, addFlow } from "../support/workspace.ts";
import { type ChatTest, collect, startChat, textOf } from "./support.ts";

let chat: ChatTest;
let gate: Gate;
let session: string;
const flows = ["flow_weather", "flow_failing", "flow_slow", "flow_two", "flow_loop", "flow_typed"];
const city = (type: string) => ({ type: "object", properties: { city: { type } }, required: ["city"] });
const TOOL_MS = 2_000;

beforeAll(async () => {
  gate = await startGate();
  chat = await startChat({
    settings: { reply: { toolMs: TOOL_MS } },
    design: {
      tools: [...flows.map((flow) => ({ flow, description: `Runs ${flow}` })), { flow: "flow_offered" }],
    },
    // A message names the flow to call; what the flow answered is repeated to the client.
    upstream: ({ body }) => {
      const { role, content } = body.messages.at(-1)!;
      if (role === "tool") return { text: `The tool said: ${String(content)}` };
      return { text: "Looking. ", toolCalls: [{ name: String(content), arguments: { city: "Izmir" } }] };
    },
  });
  const weather = node("answer", "return", { value: { weather: "rain in {{ data.city }}" } });
  await addFlow(chat.db, "org_one", "flow_weather", { graph: chain(weather) });
  const failing = node("stop", "fail", { message: "no such city as {{ data.city }}" });
  await addFlow(chat.db, "org_one", "flow_failing", { graph: chain(failing) });
  const again = node("again", "agent", { agentId: "agent_model", message: "flow_loop" });
  await addFlow(chat.db, "org_one", "flow_loop", { graph: chain(again) });
  const typed = node("answer", "return", { value: "{{ {'body': trigger.body, 'data': data} }}" });
  await addFlow(chat.db, "org_one", "flow_typed", {
    graph: chain(typed),
    settings: { input: city("number") },
  });
  const offered = { input: city("string"), tool: { description: "Tells the weather", readOnly: true } };
  await addFlow(chat.db, "org_one", "flow_offered", { graph: chain(typed), settings: offered });
  await addFlow(chat.db, "org_one", "flow_slow", { graph: chain(gate.node("hold")) });
});
afterAll(async () => {
  await gate.close();
  await chat.stop();
});
beforeEach(async () => {
  session = await chat.createSession("agent_model");
});

interface ListedRun {
  readonly id: string;
  readonly status: string;
  readonly payload: { readonly flowId: string; readonly triggerSource: string };
}

/** As the list of runs shows them. */
async function runsOf(flowId: string): Promise<ListedRun[]> {
  const { body } = await chat.service.get("/api/runs", chat.keys.one);
  return (body.data.data as ListedRun[]).filter(({ payload }) => payload.flowId === flowId);
}

it("runs a flow as a tool: a run in the list, its output for the model, the reply as a stream", async () => {
  const events = await collect(await chat.stream("agent_model", session, "flow_weather"));
  expect(textOf(events)).toBe('Looking. The tool said: {"weather":"rain in Izmir"}');
  expect(events.at(-1)!.data).toEqual({ type: "done", text: textOf(events) });
  const runs = await runsOf("flow_weather");
  expect(runs).toMatchObject([{ status: "COMPLETED", payload: { triggerSource: "subflow" } }]);
  const { body } = await chat.service.get(`/api/runs/${runs[0]!.id}`, chat.keys.one);
  expect(body.data.output).toEqual({ weather: "rain in Izmir" });
});

it("tells the model how a flow failed, and the reply goes on", async () => {
  const { status, body } = await chat.say("agent_model", session, "flow_failing");
  expect(status).toBe(200);
  expect(body.data.text).toBe("Looking. The tool said: The flow ended as FAILED: no such city as Izmir");
  expect(await runsOf("flow_failing")).toMatchObject([{ status: "FAILED" }]);
});

it("tells the model what a flow takes and what it is for, and gives the arguments as trigger.body", async () => {
  const { body } = await chat.say("agent_model", session, "flow_offered");
  expect(body.data.text).toBe('Looking. The tool said: {"body":{"city":"Izmir"},"data":{}}');
  const offered = chat.upstream.requests.at(-1)!.body.tools as { function: { name: string } }[];
  const told = offered.find((tool) => tool.function.name === "flow_offered")?.function;
  expect(told).toMatchObject({ description: "Tells the weather", parameters: city("string") });
});

it("tells the model what of its arguments does not fit, and starts nothing", async () => {
  const { body } = await chat.say("agent_model", session, "flow_typed");
  expect(body.data.text).toContain("The arguments do not fit: city must be a number");
  expect(await runsOf("flow_typed")).toEqual([]);
});

it("runs no flow of another organization, and tells nothing of it", async () => {
  const { body } = await chat.say("agent_model", session, "flow_two");
  expect(body.data.text).toBe("Looking. The tool said: The tool failed.");
  const { rows } = await chat.db.query(`SELECT FROM runs WHERE flow_id = 'flow_two'`);
  expect(rows).toEqual([]);
});

it("ends an agent and a flow that call each other for ever", async () => {
  await chat.say("agent_model", session, "flow_loop");
  const statuses = async () => (await runsOf("flow_loop")).map(({ status }) => status);
  // Every second step of eight is a run.
  await expect
    .poll(statuses, { timeout: 20_000 })
    .toEqual(["COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED"]);
});

it("waits for a flow no longer than the limit of tools, while the run goes on", async () => {
  const { body } = await chat.say("agent_model", session, "flow_slow");
  expect(body.data.text).toBe("Looking. The tool said: The tool did not answer in time.");
  const [run] = await runsOf("flow_slow");
  expect(run).toMatchObject({ status: "EXECUTING" });
  gate.open();
  await expect.poll(() => runsOf("flow_slow"), { timeout: 15_000 }).toMatchObject([{ status: "COMPLETED" }]);
});

it("lets an agent of a flow run a flow: chats and runs wait for each other", async () => {
  await addAgent(chat.db, "org_one", "agent_inner", {
    provider: { type: "openai-compatible", baseUrl: chat.upstream.baseUrl, model: "small-1" },
    tools: [{ flow: "flow_weather", description: "Looks up the weather" }],
  });
  const ask = node("ask", "agent", { agentId: "agent_inner", message: "flow_weather" });
  await addFlow(chat.db, "org_one", "flow_asking", { graph: chain(ask) });
  await addAgent(chat.db, "org_one", "agent_outer", {
    provider: { type: "openai-compatible", baseUrl: chat.upstream.baseUrl, model: "small-1" },
    tools: [{ flow: "flow_asking", description: "Asks somebody" }],
  });
  const { body } = await chat.say("agent_outer", await chat.createSession("agent_outer"), "flow_asking");
  expect(body.data.text).toContain("rain in Izmir");
});
