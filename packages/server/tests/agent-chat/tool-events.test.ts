import { MillraceClient } from "@millrace/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chain, node } from "../support/runs-flows.ts";
import { addFlow } from "../support/workspace.ts";
import { type ChatTest, collect, startChat } from "./support.ts";

let chat: ChatTest;
const LONG = "x".repeat(12_000);

beforeAll(async () => {
  chat = await startChat({
    design: { tools: ["flow_weather", "flow_failing"].map((flow) => ({ flow, description: "…" })) },
    upstream: ({ body }) => {
      const { role, content } = body.messages.at(-1)!;
      if (role === "tool") return { text: "Done." };
      const names = String(content).split(" ");
      const toolCalls = names.map((name) => ({
        name,
        arguments: { city: name === "none" ? LONG : "Izmir" },
      }));
      return { text: "Looking. ", toolCalls };
    },
  });
  const weather = node("answer", "return", { value: { weather: "rain in {{ data.city }}" } });
  await addFlow(chat.db, "org_one", "flow_weather", { graph: chain(weather) });
  await addFlow(chat.db, "org_one", "flow_failing", {
    graph: chain(node("stop", "fail", { message: "no" })),
  });
});
afterAll(() => chat.stop());

async function streamed(message: string, query: string) {
  const session = await chat.createSession("agent_model");
  const answer = await fetch(
    `${chat.service.address}/api/agents/agent_model/sessions/${session}/messages${query}`,
    {
      method: "POST",
      headers: {
        authorization: `Bearer ${chat.keys.one}`,
        "content-type": "application/json",
        accept: "text/event-stream",
      },
      body: JSON.stringify({ message }),
    },
  );
  const text = await answer.text();
  const events = [...text.matchAll(/^id: (\d+)\ndata: (.+)$/gm)].map(([, id, data]) => ({
    id: Number(id),
    data: JSON.parse(data!) as Record<string, unknown>,
  }));
  return { session, events };
}

it("tells calls of tools and their answers in their place, to those who ask", async () => {
  const { session, events } = await streamed("flow_weather flow_failing none", "?include=tools");
  expect(events.map(({ data }) => data["type"])).toEqual([
    "text-delta",
    "tool-call",
    "tool-call",
    "tool-call",
    "tool-result",
    "tool-result",
    "tool-result",
    "text-delta",
    "done",
  ]);
  const ids = events.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  expect(new Set(ids).size).toBe(ids.length);
  const [call, , large, answer, failed, unknown] = events.slice(1).map(({ data }) => data);
  expect(call).toMatchObject({ toolName: "flow_weather", input: { city: "Izmir" } });
  expect(large).toMatchObject({ toolName: "none", input: { truncated: true } });
  expect(answer).toEqual({
    type: "tool-result",
    toolCallId: call!["toolCallId"],
    toolName: "flow_weather",
    output: '{"weather":"rain in Izmir"}',
    isError: false,
  });
  expect(failed).toMatchObject({ isError: true, output: "The flow ended as FAILED: no" });
  expect(unknown).toMatchObject({ isError: true });
  // What was sent had been stored: whoever comes back gets the same.
  const all = await chat.resume("agent_model", session, events[0]!.id, "?include=tools");
  const again = (await collect(all)).filter(({ data }) => data !== undefined);
  expect(again.map(({ id, data }) => ({ id, data }))).toEqual(events.slice(1));
});

it("tells nothing of tools to those who do not ask, live and later", async () => {
  const { session, events } = await streamed("flow_weather", "");
  const types = ["text-delta", "text-delta", "done"];
  expect(events.map(({ data }) => data["type"])).toEqual(types);
  const again = await collect(await chat.resume("agent_model", session, 0));
  expect(again.flatMap(({ data }) => data?.type ?? [])).toEqual(types);
  expect(
    (
      await chat.service.send("POST", `/api/agents/agent_model/sessions/${session}/messages?include=all`, {
        key: chat.keys.one,
        body: { message: "x" },
      })
    ).status,
  ).toBe(400);
});

it("is there for programs: the client tells them where it is asked to", async () => {
  const { sessions } = new MillraceClient({ baseUrl: chat.service.address, apiKey: chat.keys.one });
  const { sessionId } = await sessions.create("agent_model");
  const kinds: string[] = [];
  const request = { message: "flow_weather" };
  for await (const event of sessions.stream("agent_model", sessionId, request, { tools: true }))
    kinds.push(event.type === "tool-call" ? event.toolName : event.type);
  expect(kinds).toEqual(["text-delta", "flow_weather", "tool-result", "text-delta", "done"]);
});

it("keeps them in the transcript", async () => {
  const { session } = await streamed("flow_weather flow_failing", "");
  const path = `/manage/agents/agent_model/sessions/${session}`;
  const { body } = await chat.service.get(path, chat.keys.one);
  expect(body.data.data[0].toolCalls).toMatchObject([
    {
      name: "flow_weather",
      input: '{"city":"Izmir"}',
      output: '{"weather":"rain in Izmir"}',
      isError: false,
    },
    { name: "flow_failing", isError: true },
  ]);
  const plain = await streamed("hello", "").then(async ({ session: other }) =>
    chat.service.get(`/manage/agents/agent_model/sessions/${other}`, chat.keys.one),
  );
  expect(plain.body.data.data[0].toolCalls).toMatchObject([{ name: "hello", isError: true }]);
});
