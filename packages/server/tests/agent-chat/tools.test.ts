import { afterEach, expect, it } from "vitest";
import type { OpenAiReply, OpenAiRequest } from "../support/openai-server.ts";
import { startMcpServer } from "../support/mcp-server.ts";
import { startOpenAiServer } from "../support/openai-server.ts";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { createGuardedHttp } from "../../src/upstream/guarded-http/client.ts";
import { modelReplyGenerator } from "../../src/upstream/reply-generator-model.ts";
import type { AgentTool } from "../../src/upstream/reply-generator.ts";
import { collect, quickSettings, startChat, textOf } from "./support.ts";

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const callThenAnswer =
  (name: string, args: unknown) =>
  (_: OpenAiRequest, index: number): OpenAiReply =>
    index === 0 ? { text: "Let me look. ", toolCalls: [{ name, arguments: args }] } : { text: "It is 7." };

/** The generator alone, with tools made by the test. */
async function write(
  tools: AgentTool[],
  upstream: (request: OpenAiRequest, index: number) => OpenAiReply,
  limits: { toolMs?: number; steps?: number } = {},
) {
  const server = await startOpenAiServer(upstream);
  const http = createGuardedHttp({ guard: createAddressGuard({ allow: ["127.0.0.0/8"] }) });
  cleanUps.push(
    () => server.close(),
    () => http.close(),
  );
  let text = "";
  const result = await modelReplyGenerator(http, {
    organizationId: "org_one",
    baseUrl: server.baseUrl,
    model: "m",
    credential: undefined,
    totalMs: 60_000,
  }).generate({
    instructions: undefined,
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    tools,
    limits: { ...quickSettings().reply, ...limits },
    signal: new AbortController().signal,
    onText: (piece) => void (text += piece),
    onTool: () => {},
  });
  return { result, text, requests: server.requests };
}

const tool = (call: AgentTool["call"]): AgentTool => ({
  name: "look_up",
  description: "Looks things up",
  inputSchema: { type: "object", properties: { what: { type: "string" } } },
  call,
});

it("gives the model what its tool found, and joins the text of all steps", async () => {
  const calls: unknown[] = [];
  const { result, text, requests } = await write(
    [tool(async (input) => `found ${JSON.stringify(calls.push(input))}`)],
    callThenAnswer("look_up", { what: "answer" }),
  );
  expect(calls).toEqual([{ what: "answer" }]);
  expect(text).toBe("Let me look. It is 7.");
  expect(requests[0]!.body.tools).toHaveLength(1);
  expect(requests[1]!.body.messages.at(-1)).toMatchObject({ role: "tool", content: "found 1" });
  expect(result.usage).toMatchObject({ steps: 2, toolCalls: 1, inputTokens: 6, outputTokens: 10 });
  expect(result.messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
});

it.each<[string, AgentTool["call"], string]>([
  ["fails", async () => Promise.reject(new Error("secret detail")), "The tool failed."],
  ["does not answer in time", () => new Promise(() => {}), "The tool did not answer in time."],
])("tells the model, and nobody else, that a tool %s", async (_, call, told) => {
  const { text, requests } = await write([tool(call)], callThenAnswer("look_up", {}), { toolMs: 50 });
  expect(requests[1]!.body.messages.at(-1)).toMatchObject({ role: "tool", content: told });
  expect(text).toBe("Let me look. It is 7.");
  expect(JSON.stringify(requests[1]!.body)).not.toContain("secret detail");
});

it("tells the model that it called a tool that does not exist", async () => {
  const { requests } = await write([tool(async () => "x")], callThenAnswer("other", {}));
  expect(requests[1]!.body.messages.at(-1)).toMatchObject({ content: "There is no such tool." });
});

it("stops asking after the allowed steps, and forbids tools in the last one", async () => {
  const { result, requests } = await write(
    [tool(async () => "again")],
    () => ({ text: "more ", toolCalls: [{ name: "look_up", arguments: {} }] }),
    { steps: 3 },
  );
  expect(requests).toHaveLength(3);
  expect((requests[2]!.body as { tool_choice?: string }).tool_choice).toBe("none");
  expect(result.failure).toBeUndefined();
});

it("uses the tools of an MCP server, remembers them in the history, and shows nothing of them to the client", async () => {
  const mcp = await startMcpServer([
    {
      name: "weather",
      call: ({ city }) => ({ content: [{ type: "text", text: `Rain in ${String(city)}` }] }),
    },
  ]);
  const chat = await startChat({
    design: { tools: [{ mcp: mcp.url }] },
    upstream: (request, index) =>
      index === 2 ? { text: "Still rain." } : callThenAnswer("weather", { city: "Izmir" })(request, index),
  });
  cleanUps.push(
    () => chat.stop(),
    () => mcp.close(),
  );
  const session = await chat.createSession("agent_model");
  const events = await collect(await chat.stream("agent_model", session, "weather?"));
  expect(new Set(events.map(({ data }) => data?.type))).toEqual(new Set([undefined, "text-delta", "done"]));
  expect(textOf(events)).toBe("Let me look. It is 7.");
  expect(JSON.stringify(events)).not.toContain("Rain in Izmir");
  await chat.say("agent_model", session, "and now?");
  expect(JSON.stringify(chat.upstream.requests[2]!.body.messages)).toContain("Rain in Izmir");
  expect(mcp.calls.filter((call) => call === "POST tools/list")).toHaveLength(1);
});

it("answers without the tools of an MCP server that cannot be reached", async () => {
  const chat = await startChat({ design: { tools: [{ mcp: "http://127.0.0.1:1/mcp" }] } });
  cleanUps.push(() => chat.stop());
  const session = await chat.createSession("agent_model");
  expect((await chat.say("agent_model", session, "hi")).body.data.text).toBe("Hello from the model");
});
