import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import OpenAI, { APIError } from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chain, node } from "../support/runs-flows.ts";
import { addAgent, addFlow } from "../support/workspace.ts";
import { type ChatTest, startChat } from "./support.ts";

let chat: ChatTest;
let client: OpenAI;

beforeAll(async () => {
  chat = await startChat({
    design: {
      systemPrompt: "You are brief.",
      tools: [{ flow: "flow_weather", description: "Tells the weather" }],
    },
    upstream: ({ body }) => {
      const { role, content } = body.messages.at(-1)!;
      if (role === "tool") return { text: `It says ${String(content)}` };
      if (content === "weather")
        return { text: "Looking. ", toolCalls: [{ name: "flow_weather", arguments: {} }] };
      if (content === "break") return { status: 500 };
      return { text: `You said ${String(content)}` };
    },
  });
  const answer = node("answer", "return", { value: { weather: "rain" } });
  await addFlow(chat.db, "org_one", "flow_weather", { graph: chain(answer) });
  client = clientOf(chat.keys.one);
});
afterAll(() => chat.stop());

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${chat.service.address}/v1`, maxRetries: 0 });
}

const say = (content: string) => [{ role: "user" as const, content }];

/** What the model behind the agent was told, without its instructions. */
function told(): unknown[] {
  return chat.upstream.requests.at(-1)!.body.messages.filter(({ role }) => role !== "system");
}

it("lists agents as models, each to those who reach it", async () => {
  const ids = async (key: string) => (await clientOf(key).models.list()).data.map(({ id }) => id).sort();
  expect(await ids(chat.keys.one)).toEqual(["agent_model", "agent_one"]);
  expect(await ids(chat.keys.two)).toEqual(["agent_two"]);
  expect(await ids(chat.keys.user)).toEqual(["agent_model", "agent_one", "agent_two"]);
  expect(await client.models.retrieve("agent_model")).toMatchObject({ object: "model", owned_by: "org_one" });
  await expect(client.models.retrieve("agent_two")).rejects.toMatchObject({
    status: 404,
    code: "agent_not_found",
  });
});

it("answers OpenAI's client whole, with the history that it brings", async () => {
  const { data, response } = await client.chat.completions
    .create({
      model: "agent_model",
      temperature: 0.2,
      messages: [
        { role: "system", content: "Speak like a sailor." },
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Ahoy" },
        {
          role: "user",
          content: [
            { type: "text", text: "And " },
            { type: "text", text: "now?" },
          ],
        },
      ],
    })
    .withResponse();
  expect(data.choices[0]!.message.content).toBe("You said And now?");
  expect(data).toMatchObject({
    object: "chat.completion",
    model: "agent_model",
    choices: [{ finish_reason: "stop" }],
  });
  expect(data.usage!.total_tokens).toBe(data.usage!.prompt_tokens + data.usage!.completion_tokens);
  expect(told()).toMatchObject([
    { role: "user", content: "Speak like a sailor.\n\nHello" },
    { role: "assistant", content: "Ahoy" },
    { role: "user", content: "And now?" },
  ]);
  const session = response.headers.get("x-session-id")!;
  const { body } = await chat.service.get(`/manage/agents/agent_model/sessions/${session}`, chat.keys.one);
  expect(body.data.data.map(({ message }: { message: string }) => message)).toEqual([
    "Speak like a sailor.\n\nHello",
    "And now?",
  ]);
});

it("goes on with a session that the caller names, whose history is stored", async () => {
  const { response } = await client.chat.completions
    .create({ model: "agent_model", messages: say("One") })
    .withResponse();
  const headers = { "x-session-id": response.headers.get("x-session-id")! };
  await client.chat.completions.create({ model: "agent_model", messages: say("Two") }, { headers });
  expect(told()).toMatchObject([{ content: "One" }, { content: "You said One" }, { content: "Two" }]);
  const other = clientOf(chat.keys.two).chat.completions;
  await expect(
    other.create({ model: "agent_two", messages: say("Three") }, { headers }),
  ).rejects.toMatchObject({ status: 404 });
});

it("streams to OpenAI's client, tools called inside the service, usage where it is asked for", async () => {
  const stream = await client.chat.completions.create({
    model: "agent_model",
    messages: say("weather"),
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
  expect(text).toBe('Looking. It says {"weather":"rain"}');
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe("stop");
  expect(chunks.at(-1)!.usage).toBeDefined();
  expect(chunks.some(({ choices }) => choices[0]?.delta.tool_calls)).toBe(false);
});

it("answers LangChain's ChatOpenAI, whole and streamed", async () => {
  const model = new ChatOpenAI({
    model: "agent_model",
    apiKey: chat.keys.one,
    configuration: { baseURL: `${chat.service.address}/v1` },
    maxRetries: 0,
  });
  const messages = [
    new SystemMessage("Be kind."),
    new HumanMessage("Hi"),
    new AIMessage("Hello"),
    new HumanMessage("Bye"),
  ];
  expect((await model.invoke(messages)).text).toBe("You said Bye");
  let text = "";
  for await (const part of await model.stream("weather")) text += part.text;
  expect(text).toBe('Looking. It says {"weather":"rain"}');
});

it.each([
  ["no model of this name", { model: "agent_none" }, 404, "agent_not_found"],
  ["an agent of another organization", { model: "agent_two" }, 404, "agent_not_found"],
  [
    "tools of the caller",
    { tools: [{ type: "function", function: { name: "f" } }] },
    400,
    "invalid_request_body",
  ],
  ["several replies", { n: 2 }, 400, "invalid_request_body"],
  ["JSON", { response_format: { type: "json_object" } }, 400, "invalid_request_body"],
  [
    "pictures",
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] },
    400,
    "invalid_request_body",
  ],
  [
    "messages of tools",
    { messages: [{ role: "tool", tool_call_id: "1", content: "x" }] },
    400,
    "invalid_request_body",
  ],
  [
    "the last word of the agent",
    { messages: [{ role: "assistant", content: "x" }] },
    400,
    "invalid_request_body",
  ],
  ["nothing", { messages: [] }, 400, "invalid_request_body"],
  ["too much", { messages: say("x".repeat(32_001)) }, 400, "invalid_request_body"],
  [
    "too many messages",
    { messages: Array.from({ length: 1_001 }, () => say("x")[0]) },
    400,
    "invalid_request_body",
  ],
])("refuses %s, in the words that the client reads", async (_what, body, status, code) => {
  const request = { model: "agent_model", messages: say("Hello"), ...body };
  const error = await client.chat.completions.create(request as never).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(APIError);
  expect(error).toMatchObject({ status, code });
});

it("refuses strangers and lookers, and an upstream that breaks, as errors of the client", async () => {
  const ask = (key: string, content = "Hello") =>
    clientOf(key).chat.completions.create({ model: "agent_model", messages: say(content) });
  await expect(ask("mr_org_wrong")).rejects.toMatchObject({ status: 401, type: "authentication_error" });
  await expect(ask(chat.keys.viewer)).rejects.toMatchObject({ status: 403, type: "permission_error" });
  await expect(ask(chat.keys.one, "break")).rejects.toMatchObject({ status: 502, type: "server_error" });
  const broken = client.chat.completions.create({
    model: "agent_model",
    messages: say("break"),
    stream: true,
  });
  await expect(
    broken.then(async (stream) => {
      for await (const _ of stream);
    }),
  ).rejects.toBeInstanceOf(APIError);
});

it("tells nothing of the agent's design", async () => {
  await addAgent(chat.db, "org_one", "agent_secret", {
    systemPrompt: "hidden prompt",
    provider: { type: "demo" },
  });
  const reply = await client.chat.completions.create({ model: "agent_secret", messages: say("Hello") });
  expect(JSON.stringify([reply, await client.models.retrieve("agent_secret")])).not.toContain(
    "hidden prompt",
  );
});
