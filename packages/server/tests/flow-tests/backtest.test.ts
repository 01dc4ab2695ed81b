import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTerminal, type Terminal } from "../cli/terminal.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";
import { twelveNodes } from "./twelve-nodes.ts";

const RUNS = 1_000;

let service: RunTestService;
let terminal: Terminal;
let receiver: Server;
let received = 0;
let directory: string;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    received += 1;
    response.setHeader("content-type", "application/json");
    response.statusCode = request.url?.endsWith("/7") ? 404 : 200;
    response.end(JSON.stringify({ id: `ch${request.url?.replaceAll("/", "_")}` }));
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  directory = await mkdtemp(join(tmpdir(), "millrace-backtest-"));
  service = await startRunService({ concurrency: 50 });
  terminal = await createTerminal();
  await service.flow("flow_b", graph());
  for (let at = 0; at < RUNS; at += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        service.begin("flow_b", { payload: { data: { amount: at + index, tags: ["a", "b"] } } }),
      ),
    );
  await until("all have ended", async () => {
    const [{ left }] = await service.rows(
      `SELECT count(*)::int AS left FROM runs WHERE completed_at IS NULL`,
    );
    return left === 0;
  });
  received = 0;
});
afterAll(async () => {
  await service.stop();
  await terminal.close();
  receiver.close();
  await rm(directory, { recursive: true });
});

const graph = (options: Parameters<typeof twelveNodes>[1] = {}) =>
  twelveNodes(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`, options);
const backtest = async (body: object, key = service.key) =>
  (await service.send("POST", "/manage/flows/flow_b/backtest", { key, body })).body.data;

describe("a back-test", () => {
  it("finds nothing where the draft means the same, and calls nobody", async () => {
    const rewritten = graph({
      condition: "{{ 500 < data.amount ? true : false }}",
      sum: "$count($append([], data.tags))",
    });
    const result = await backtest({ last: RUNS, graph: rewritten });
    expect(result).toMatchObject({
      runs: RUNS,
      changed: 0,
      unchanged: RUNS,
      skipped: [],
      complete: true,
      changes: [],
    });
    expect(received).toBe(0);
  });

  it("finds the one run of a thousand that another condition takes elsewhere", async () => {
    const { changed, changes, nodes } = await backtest({
      last: RUNS,
      graph: graph({ condition: "{{ data.amount > 501 }}" }),
    });
    expect(changed).toBe(1);
    expect(changes).toMatchObject([
      {
        before: "COMPLETED",
        after: "COMPLETED",
        output: [{ path: "charge", before: '"ch_charge_501"', after: "nothing" }],
        path: [
          { nodeKey: "large", change: "handle", before: "true", after: "false" },
          { nodeKey: "small", change: "added" },
          { nodeKey: "charge", change: "removed" },
        ],
        calls: [{ nodeKey: "charge", change: "dropped" }],
      },
    ]);
    expect(nodes).toContainEqual({ nodeId: "charge", added: 0, removed: 1, handle: 0, calls: 1 });
    expect(received).toBe(0);
  });

  it("shows a call that was never made as such, and makes it neither", async () => {
    const lower = await backtest({ last: 500, graph: graph({ condition: "{{ data.amount >= 500 }}" }) });
    expect(lower.changes).toMatchObject([
      {
        after: "UNKNOWN",
        output: [],
        path: [],
        calls: [
          { nodeKey: "charge", change: "new", input: { url: expect.stringMatching(/\/charge\/500$/) } },
        ],
      },
    ]);
    const elsewhere = await backtest({ last: 10, graph: graph({ path: "/refund/" }) });
    expect(elsewhere).toMatchObject({ runs: 10, changed: 10 });
    expect(received).toBe(0);
  });

  it("takes the draft where no graph is given, and the version in force where there is none", async () => {
    expect(await backtest({ last: 20 })).toMatchObject({ runs: 20, changed: 0 });
    const { revision } = (await service.get("/manage/flows/flow_b/draft", service.key)).body.data;
    const draft = { graph: graph({ sum: "$count(data.tags) + 1" }), revision };
    expect(
      (await service.send("PUT", "/manage/flows/flow_b/draft", { key: service.key, body: draft })).status,
    ).toBe(200);
    const { changed, changes } = await backtest({ last: 20 });
    expect([changed, changes[0].output[0]]).toEqual([
      20,
      { path: "text", before: expect.stringMatching(/^"2 tags/), after: expect.stringMatching(/^"3 tags/) },
    ]);
  });

  it("refuses a graph that would not run, and who may not", async () => {
    const refused = await service.send("POST", "/manage/flows/flow_b/backtest", {
      key: service.key,
      body: { graph: graph({ condition: "{{ data.amount > }}" }) },
    });
    expect([refused.status, refused.body.code]).toEqual([400, "flow_validation_failed"]);
    const { pool } = service.database;
    await addOrganization(pool, "org_other");
    await addUser(pool, "oda", { org_other: "owner" });
    const { key } = await addKey(pool, { organizationId: "org_other", userId: "oda" });
    expect((await service.send("POST", "/manage/flows/flow_b/backtest", { key, body: {} })).status).toBe(404);
  });

  it("is a command, with a file or the draft, as a table and as JSON", async () => {
    const file = join(directory, "flow.json");
    const document = {
      kind: "Flow",
      id: "flow_b",
      organizationId: "org_run",
      name: "B",
      graph: graph({ condition: "{{ data.amount > 501 }}" }),
    };
    await writeFile(file, JSON.stringify(document));
    const env = { MILLRACE_URL: service.address, MILLRACE_API_KEY: service.key };
    const shown = await terminal.run(`flows backtest ${file} --last 500`, env);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toContain("flow_b: 500 runs, 1 change");
    expect(shown.stdout).toMatch(
      /COMPLETED +COMPLETED +charge is called no more; large: true → false; \+small/,
    );
    expect(await terminal.json(`flows backtest flow_b --file ${file} --last 30`, env)).toMatchObject({
      runs: 30,
      changed: 0,
    });
    expect((await terminal.run(`flows backtest flow_b --draft --last 5 --fail-on-change`, env)).code).toBe(1);
    expect((await terminal.run(`flows backtest ${file} --draft`, env)).code).toBe(2);
  });
});

describe("a draft on a recorded run", () => {
  const evaluate = (body: object) =>
    service.send("POST", "/manage/flows/flow_b/draft/evaluate", { key: service.key, body });
  const runOf = async (amount: number) =>
    (await service.rows(`SELECT run_id FROM run_payloads WHERE data ->> 'amount' = $1`, String(amount)))[0]
      .run_id as string;

  it("evaluates what is pure anew and leaves effects as they were", async () => {
    const runId = await runOf(900);
    const { data } = (await evaluate({ runId, graph: graph({ path: "/refund/", sum: "41 + 1" }) })).body;
    expect(data).toMatchObject({ status: "COMPLETED", errors: [], output: { charge: "ch_charge_900" } });
    const byKey = Object.fromEntries(data.nodes.map((one: { nodeKey: string }) => [one.nodeKey, one]));
    expect(byKey["total"]).toMatchObject({ source: "evaluated", output: { value: 42 }, changed: true });
    expect(byKey["stamp"]).toMatchObject({ source: "evaluated", changed: false });
    expect(byKey["charge"]).toMatchObject({
      source: "recorded",
      input: { url: expect.stringContaining("/refund/900") },
      output: { body: { id: "ch_charge_900" } },
      changed: false,
      inputChanged: true,
    });
    expect(byKey["look[1]"]).toMatchObject({ source: "recorded", inputChanged: false });
    expect(received).toBe(0);
  });

  it("leaves open what was never called, and goes on beside it", async () => {
    const { data } = (await evaluate({ runId: await runOf(5), graph: graph({ condition: "{{ true }}" }) }))
      .body;
    expect(data.status).toBe("PENDING");
    const keys = (source: string) =>
      data.nodes
        .filter((one: { source: string }) => one.source === source)
        .map((one: { nodeKey: string }) => one.nodeKey);
    expect(keys("unknown")).toEqual(["charge"]);
    expect(keys("recorded")).toEqual(["count"]);
  });

  it("says what keeps the graph from running, and knows no run of somebody else", async () => {
    const broken = await evaluate({ runId: await runOf(5), graph: graph({ condition: "{{ 1 + }}" }) });
    expect(broken.body.data).toMatchObject({ nodes: [], errors: [expect.stringContaining("large")] });
    expect((await evaluate({ runId: "run_000000000000000000000000" })).status).toBe(404);
  });
});
