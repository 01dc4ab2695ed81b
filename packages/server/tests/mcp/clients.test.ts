import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../support/runs-until.ts";
import { type Answer, type Asked, connectFirst, generations } from "./support.ts";
import { city, startToolService, type ToolService } from "./tool-service.ts";

let tools: ToolService;
let service: ToolService["service"];
let gate: ToolService["gate"];
let key: string;
let runsOf: ToolService["runsOf"];
beforeAll(async () => {
  tools = await startToolService();
  ({ service, gate, key, runsOf } = tools);
});
afterAll(() => tools.close());

describe.each(generations)("a client of revision %s", (_name, connect, asks) => {
  it("is offered flows with their input, and gets what they return, told of each node", async () => {
    const client = await connect({ url: service.address, key });
    const { tools } = await client.list();
    const weather = tools.find(({ name }) => name === "flow_weather");
    expect(weather).toMatchObject({ description: "Tells the weather", inputSchema: city });
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["get_run", "cancel_run", "why"]));
    const told: string[] = [];
    const onprogress = ({ message }: { message?: string }) => void told.push(message!);
    const before = (await runsOf("flow_weather")).length;
    const result = await client.call("flow_weather", { city: "Izmir" }, { onprogress });
    expect(JSON.parse(result.content[0]!.text)).toEqual({ weather: "rain in Izmir" });
    expect(told.join()).toContain("look (set) COMPLETED");
    const runs = await runsOf("flow_weather");
    expect(runs.length - before).toBe(1);
    expect(runs[0]!.tags).toEqual(["mcp"]);
    await client.close();
  });

  it("gives a body that is no object as an argument of its own", async () => {
    const client = await connect({ url: service.address, key });
    const result = await client.call("flow_list", { body: [1, 2, 3] });
    expect(JSON.parse(result.content[0]!.text)).toEqual({ count: 3 });
    await client.close();
  });

  it("is told in words what was wrong, and a large output is cut off", async () => {
    const client = await connect({ url: service.address, key });
    const failed = await client.call("flow_failing", {});
    expect(failed).toMatchObject({ isError: true });
    expect(failed.content[0]!.text).toMatch(/^The run run_\w+ ended as FAILED: no such city$/);
    const refused = await client.call("flow_weather", { city: 7 });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.content[0]!.text).toContain("city must be a text");
    const large = await client.call("flow_large");
    expect(large.content[0]!.text.length).toBeLessThan(101_000);
    expect(large.content[0]!.text).toContain("GET /api/runs/run_");
    expect(large.structuredContent).toBeUndefined();
    await client.close();
  });

  it("reads, explains and cancels runs by their ids", async () => {
    const client = await connect({ url: service.address, key });
    const { body } = await service.send("POST", "/api/runs", {
      key,
      body: { payload: { flowId: "flow_release" } },
    });
    const runId = body.data.id as string;
    await until("it waits", async () => (await runsOf("flow_release"))[0]?.status === "PAUSED");
    const seen = JSON.parse((await client.call("get_run", { runId })).content[0]!.text);
    expect(seen).toMatchObject({ id: runId, status: "PAUSED", pause: { message: "Release?" } });
    const why = JSON.parse((await client.call("why", { runId })).content[0]!.text);
    expect(why).toMatchObject({ waiting: true, cause: "approval" });
    const canceled = JSON.parse((await client.call("cancel_run", { runId })).content[0]!.text);
    expect(canceled).toMatchObject({ id: runId, status: "CANCELED" });
    expect((await client.call("cancel_run", { runId })).isError).toBe(true);
    await client.close();
  });

  it.runIf(asks)("puts an approval to a person, whose answer goes to the flow", async () => {
    const asked: Asked[] = [];
    const answers: Answer[] = [
      { action: "accept", content: { reason: "It Was Broken" } },
      { action: "accept", content: { reason: "it was broken", amount: 3 } },
      { action: "decline" },
    ];
    const ask = (question: Asked) => {
      asked.push(question);
      return answers.shift()!;
    };
    const client = await connect({ url: service.address, key, ask });
    const approved = await client.call("flow_refund", { city: "Izmir" });
    // The first answer does not fit what only the service can check, so it was asked again.
    expect(asked.map(({ message }) => message.split("\n")[0])).toEqual(["Refund Izmir?", "Refund Izmir?"]);
    expect(asked[1]!.message).toContain("reason must match");
    expect(asked[0]!.requestedSchema!.properties["reason"]).toEqual({ type: "string", title: "Why?" });
    const data = { reason: "it was broken", amount: 3 };
    expect(JSON.parse(approved.content[0]!.text)).toEqual({ decision: "approved", data });
    const rejected = await client.call("flow_refund", { city: "Izmir" });
    expect(JSON.parse(rejected.content[0]!.text)).toEqual({ decision: "rejected" });
    await client.close();
  });

  it.runIf(asks)("leaves an approval open that the person has closed", async () => {
    const client = await connect({ url: service.address, key, ask: () => ({ action: "cancel" }) });
    const result = await client.call("flow_release");
    expect(result.content[0]!.text).toContain("It waits for approval: Release?");
    expect((await runsOf("flow_release"))[0]).toMatchObject({ status: "PAUSED" });
    await client.close();
  });

  it.runIf(asks)("learns of an approval that somebody else gave while it was asked", async () => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<Answer>();
    const ask = () => {
      asked.resolve();
      return answered.promise;
    };
    const client = await connect({ url: service.address, key, ask });
    const before = new Set((await runsOf("flow_release")).map(({ id }) => id));
    const call = client.call("flow_release");
    await asked.promise;
    const runId = await until(
      "the run waits",
      async () =>
        (await runsOf("flow_release")).find(({ id, status }) => !before.has(id) && status === "PAUSED")?.id,
    );
    await service.send("POST", `/api/runs/${runId}/resume`, { key, body: { decision: "approved" } });
    answered.resolve({ action: "decline" });
    expect(JSON.parse((await call).content[0]!.text)).toEqual({ decision: "approved" });
    await client.close();
  });

  it("without anybody to ask is told where a person can answer", async () => {
    const client = await connect({ url: service.address, key });
    const text = (await client.call("flow_release")).content[0]!.text;
    const [, runId] = /The run (run_\w+) has not ended: it is PAUSED/.exec(text)!;
    expect(text).toContain(`A person can answer at ${service.address}/console/runs/${runId}`);
    // The link that answers is for people: a model is given it nowhere.
    const read = await Promise.all(["get_run", "why"].map((name) => client.call(name, { runId })));
    expect(JSON.stringify([text, read])).not.toContain("/app/resume/");
    await service.send("POST", `/api/runs/${runId}/resume`, { key, body: { decision: "approved" } });
    const seen = await client.call("get_run", { runId, waitSeconds: 30 });
    expect(JSON.parse(seen.content[0]!.text)).toMatchObject({ status: "COMPLETED" });
    await client.close();
  });

  it("leaves the run of a call that it cancels to itself", async () => {
    const client = await connect({ url: service.address, key });
    const arrived = gate.arrived.length;
    const canceling = new AbortController();
    const call = client.call("flow_slow", {}, { signal: canceling.signal });
    await gate.untilArrived(arrived + 1);
    canceling.abort();
    await expect(call).rejects.toThrow();
    gate.letGo();
    await until("the run ends", async () => (await runsOf("flow_slow"))[0]?.status === "COMPLETED");
    await client.close();
  });
});

it("the oldest clients are not asked for what they do not know", async () => {
  const client = await connectFirst({ url: service.address, key });
  const { tools } = await client.list();
  for (const { inputSchema } of tools) expect(inputSchema["type"]).toBe("object");
  await client.close();
});
