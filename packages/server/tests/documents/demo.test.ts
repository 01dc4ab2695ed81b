import { fileURLToPath } from "node:url";
import type { FlowDocument } from "@millrace/contract/documents/flow";
import { afterAll, describe, expect, it } from "vitest";
import { compileFlow } from "../../src/domain/flow/compile.ts";
import { runFlow } from "../../src/engine/flow-runner/run-flow.ts";
import type { RunOptions } from "../../src/engine/flow-runner/run-types.ts";
import type { NodeServices } from "../../src/engine/nodes/node-type.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { createSandbox } from "../../src/engine/sandbox/pool.ts";
import { readDocuments } from "../../src/operations/apply-documents/read-documents.ts";

const sandbox = createSandbox();
afterAll(() => sandbox.close());

const directory = fileURLToPath(new URL("../../../../examples/demo", import.meta.url));

async function run(
  flowId: string,
  { services = {}, ...options }: { services?: object } & Partial<Omit<RunOptions, "services" | "waits">> = {},
) {
  const asked: unknown[] = [];
  const waits: RunOptions["waits"] = {
    begin: async ({ suspension }) => {
      asked.push(suspension);
      return { startedAt: 0, expiresAt: undefined, mayPause: true, answer: new Promise(() => {}) };
    },
    expiryOf: () => undefined,
    suspend: () => {},
    end: () => {},
    withdraw: async () => {},
  };
  const documents = (await readDocuments([directory])).map(({ document }) => document);
  const { graph } = documents.find(({ id }) => id === flowId) as FlowDocument;
  const outcome = await runFlow({
    flow: compileFlow(graph, nodeTypes),
    nodeTypes,
    run: { id: "run_1", attempt: 1, flowId, organizationId: "org_demo" },
    trigger: { body: {}, headers: {}, query: {}, method: "POST" },
    data: {},
    services: { now: Date.now, sandbox, ...services } as NodeServices,
    resolveCredential: () => Promise.reject(new Error("The demo has no credentials.")),
    checkpoints: { restored: new Map(), save: async () => {} },
    waits,
    onNode: () => {},
    ...options,
  });
  return { ...outcome, asked };
}

const completed = (output: object) => expect.objectContaining({ kind: "completed", output });

// Each file says in its comment what a call of its flow answers.
describe("the demo flows do what their comments promise", () => {
  it("flow_hello greets whom it is told to, or the world", async () => {
    const trigger = { body: { name: "Ada" }, headers: {}, query: {}, method: "POST" };
    expect(await run("flow_hello", { trigger })).toEqual(completed({ text: "Hello Ada!" }));
    expect(await run("flow_hello")).toEqual(completed({ text: "Hello world!" }));
  });

  it("flow_branch takes one way at each fork", async () => {
    expect(await run("flow_branch", { data: { amount: 250, country: "TR" } })).toEqual(
      completed({ size: "large", shipping: "domestic", amount: 250 }),
    );
    expect(await run("flow_branch", { data: { amount: 5, country: "NZ" } })).toEqual(
      completed({ size: "small", shipping: "abroad", amount: 5 }),
    );
  });

  it("flow_loop adds up its items in order", async () => {
    expect(await run("flow_loop")).toEqual(completed({ lines: ["1. apples: 6", "2. pears: 4"], total: 10 }));
  });

  it("flow_fruit prices each line, ships a small order, asks about a large one, and fails without a price", async () => {
    const of = (customer: string, items: object[]) => ({
      trigger: { body: { customer, items }, headers: {}, query: {}, method: "POST" },
    });
    expect(await run("flow_fruit", of("Ada", [{ name: "pears", count: 3 }]))).toEqual(
      completed({ customer: "Ada", total: 12, shipped: true }),
    );
    expect(await run("flow_fruit", of("Grace", [{ name: "crates", count: 2 }]))).toMatchObject({
      kind: "suspended",
      asked: [{ kind: "approval", message: "Ship an order of 120 to Grace?" }],
    });
    const items = [
      { name: "plums", count: 5 },
      { name: "cherries", count: 1 },
    ];
    expect(await run("flow_fruit", of("Alan", items))).toMatchObject({
      kind: "failed",
      error: { message: "There is no price for cherries." },
    });
  });

  it("flow_watch and flow_reminder take their time", async () => {
    expect(await run("flow_watch", { data: { rounds: 3 } })).toMatchObject({ asked: [{ kind: "wait" }] });
    expect(await run("flow_reminder")).toMatchObject({
      kind: "suspended",
      asked: [{ kind: "wait", durationMs: 3 * 86_400_000 }],
    });
  });

  it("flow_http tells whether it reached the service", async () => {
    const answers = { request: async () => ({ status: 200, headers: {}, body: new Uint8Array() }) };
    expect(await run("flow_http", { services: { http: answers } })).toEqual(
      completed({ reachable: true, status: 200 }),
    );
    const refuses = { request: () => Promise.reject(new Error("not allowed")) };
    expect(await run("flow_http", { services: { http: refuses } })).toEqual(
      completed({ reachable: false, reason: expect.any(String) }),
    );
  });

  it("flow_approval waits for a decision", async () => {
    expect(await run("flow_approval")).toMatchObject({
      kind: "suspended",
      asked: [{ kind: "approval", message: "Refund 40 to Ada?" }],
    });
  });

  it("flow_parent hands its data to flow_child, which greets", async () => {
    expect(await run("flow_parent", { data: { name: "Ada" } })).toMatchObject({
      kind: "suspended",
      asked: [{ kind: "run-flow", flowId: "flow_child", data: { name: "Ada" } }],
    });
    expect(await run("flow_child", { data: { name: "Ada" } })).toEqual(completed({ text: "Hello Ada!" }));
  });

  it("flow_count counts its runs", async () => {
    const store = { increment: async (_organization: string, _key: string, by: number) => 6 + by };
    expect(await run("flow_count", { services: { store } })).toEqual(completed({ runs: 7 }));
  });
});
