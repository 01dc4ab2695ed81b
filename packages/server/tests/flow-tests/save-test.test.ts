import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTerminal, type Terminal } from "../cli/terminal.ts";
import { chain, joined, node, type TestGraph } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

let service: RunTestService;
let terminal: Terminal;
let receiver: Server;
let directory: string;
let graph: TestGraph;
let runId: string;
beforeAll(async () => {
  receiver = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "ch_7781", token: "tok-very-secret", owner: "Ada Lovelace" }));
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  directory = await mkdtemp(join(tmpdir(), "millrace-save-"));
  service = await startRunService();
  terminal = await createTerminal();
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const large = chain(node("large", "if", { condition: "{{ trigger.body.amount > 100 }}" }));
  const charged = joined(
    large,
    node("charge", "http-request", { url, body: { to: "{{ trigger.body.email }}" } }),
    ["large", "true"],
  );
  const waited = joined(charged, node("pause", "wait", { duration: 1 }), ["charge"]);
  const done = node("done", "return", {
    value: { id: "{{ nodes.charge.body.id }}", by: "{{ nodes.charge.body.owner }}" },
  });
  graph = joined(joined(waited, done, ["pause"]), node("small", "return", { value: { small: true } }), [
    "large",
    "false",
  ]);
  await service.flow("flow_s", graph);
  const trigger = {
    body: { amount: 250, email: "ada@example.org", password: "hunter2", note: "Ada Lovelace" },
    headers: { authorization: "Bearer abc", "x-note": "Ada Lovelace" },
  };
  runId = await service.begin("flow_s", { payload: { trigger, data: { plan: "gold" } } });
  expect(await service.untilEnd(runId)).toMatchObject({ status: "COMPLETED" });
});
afterAll(async () => {
  await service.stop();
  await terminal.close();
  receiver.close();
  await rm(directory, { recursive: true });
});

const save = (body: object) => service.send("POST", `/manage/runs/${runId}/test`, { key: service.key, body });
const env = () => ({ MILLRACE_URL: service.address, MILLRACE_API_KEY: service.key });

/** As a person would: the flow and its test in a directory, and `flows test`. */
async function runs(yaml: string, flow = graph) {
  const own = await mkdtemp(join(directory, "test-"));
  await writeFile(
    join(own, "flow.json"),
    JSON.stringify({ kind: "Flow", id: "flow_s", organizationId: "o", name: "S", graph: flow }),
  );
  await writeFile(join(own, "saved.test.yaml"), yaml);
  return terminal.run(`flows test ${own}`);
}

describe("a run saved as a test", () => {
  it("holds no value of the run by default, and says where that leads elsewhere", async () => {
    const { data } = (await save({})).body;
    for (const text of ["250", "ada@example.org", "hunter2", "Ada", "abc", "gold", "7781", "tok-very-secret"])
      expect(data.yaml).not.toContain(text);
    expect(data.redacted).toEqual(
      expect.arrayContaining([
        "trigger.body.amount",
        "trigger.body.email",
        "data.plan",
        "answers.charge.body.id",
      ]),
    );
    expect(data).toMatchObject({
      sameWay: false,
      kept: [],
      warnings: [expect.stringContaining("another way")],
    });
    expect(await runs(data.yaml)).toMatchObject({ code: 0 });
  });

  it("keeps what it may, takes the way of the run and passes; equal values stay equal", async () => {
    const { data } = (await save({ keep: ["trigger.body.amount"] })).body;
    expect(data).toMatchObject({ sameWay: true, kept: ["trigger.body.amount"], warnings: [] });
    const { trigger, answers, expect: expected } = data.document;
    expect(trigger.body).toMatchObject({
      amount: 250,
      email: expect.stringMatching(/^user\d+@example\.com$/),
    });
    expect(trigger.body.note).toBe(answers.charge.body.owner);
    expect(expected).toMatchObject({
      status: "COMPLETED",
      path: ["start", "large", "charge", "pause", "done"],
      output: { by: trigger.body.note },
      calls: { charge: [{ body: { to: trigger.body.email } }] },
    });
    expect(answers.charge.status).toBe(200);
    expect(await runs(data.yaml)).toMatchObject({ code: 0 });
    const changed = JSON.parse(JSON.stringify(graph).replace("amount > 100", "amount > 1000")) as TestGraph;
    expect(await runs(data.yaml, changed)).toMatchObject({ code: 1 });
  });

  it("runs on the draft in the service too, or on a graph in its place", async () => {
    const { document } = (await save({ keep: ["trigger.body.amount"] })).body.data;
    const test = (body: object) =>
      service.send("POST", "/manage/flows/flow_s/draft/test", { key: service.key, body });
    expect((await test({ tests: [document] })).body.data).toMatchObject({ passed: 1, failed: 0 });
    const changed = JSON.parse(JSON.stringify(graph).replace("amount > 100", "amount > 1000")) as TestGraph;
    expect((await test({ tests: [document], graph: changed })).body.data).toMatchObject({
      failed: 1,
      tests: [
        { passed: false, failures: expect.arrayContaining([expect.objectContaining({ what: "path" })]) },
      ],
    });
    const misspelt = { ...document, expect: { path: ["strat"] } };
    expect((await test({ tests: [misspelt] })).body.data.tests[0].failures[0].differences).toEqual([
      'expect.path[0]: unknown node "strat"; did you mean "start"?',
    ]);
    expect((await test({ tests: [{ ...document, expct: {} }] })).status).toBe(400);
  });

  it("never keeps a secret", async () => {
    const { data } = (await save({ keep: ["*"] })).body;
    expect(data.redacted.toSorted()).toEqual([
      "answers.charge.body.token",
      "trigger.body.password",
      "trigger.headers.authorization",
    ]);
    for (const text of ["hunter2", "abc", "tok-very-secret"]) expect(data.yaml).not.toContain(text);
    expect(data.yaml).toContain("ada@example.org");
  });

  it("is a command that asks, or is told", async () => {
    const file = join(directory, "saved.test.yaml");
    const told = await terminal.run(
      `runs save-test ${runId} --keep trigger.body.amount --id mine -o ${file}`,
      env(),
    );
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining("millrace flows test") });
    expect(await readFile(file, "utf8")).toContain("id: mine");
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return question.includes("amount") ? "y" : "";
    };
    const asked = await terminal.run(`runs save-test ${runId}`, env(), { ask });
    expect(questions).toContain("May trigger.body.amount be kept? [y/N] ");
    expect(asked.stdout).toContain("amount: 250");
    expect(asked.stderr).toContain("values were replaced");
    expect((await terminal.run(`runs save-test ${runId} --redact`, env(), { ask })).stdout).not.toContain(
      "250",
    );
  });

  it("is refused for a run that has not ended so, and for others", async () => {
    const canceled = await service.begin("flow_s", { delay: "1d" });
    await service.send("POST", `/api/runs/${canceled}/cancel`, { key: service.key, body: {} });
    const { status } = await service.send("POST", `/manage/runs/${canceled}/test`, {
      key: service.key,
      body: {},
    });
    expect(status).toBe(400);
    expect(
      (
        await service.send("POST", "/manage/runs/run_000000000000000000000000/test", {
          key: service.key,
          body: {},
        })
      ).status,
    ).toBe(404);
  });
});
