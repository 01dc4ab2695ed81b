import { describe, expect, it } from "vitest";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { demoDirectory, report } from "./dry-run.ts";

const run = async (flowId: string, options: Parameters<typeof report>[1] = {}) =>
  (await report([demoDirectory], { flowId, ...options })).result;
const completed = (output: object) => expect.objectContaining({ status: "COMPLETED", output });

// Each file says in its comment what a call of its flow answers.
describe("the demo flows do in a dry run what their comments promise", () => {
  it("flow_hello", async () => {
    expect(await run("flow_hello", { trigger: { body: { name: "Ada" } } })).toEqual(
      completed({ text: "Hello Ada!" }),
    );
    expect(await run("flow_hello")).toEqual(completed({ text: "Hello world!" }));
  });

  it("flow_branch", async () => {
    expect(await run("flow_branch", { data: { amount: 250, country: "TR" } })).toEqual(
      completed({ size: "large", shipping: "domestic", amount: 250 }),
    );
  });

  it("flow_loop", async () => {
    expect(await run("flow_loop")).toEqual(completed({ lines: ["1. apples: 6", "2. pears: 4"], total: 10 }));
  });

  it("flow_http, against a server that answers and against the guard", async () => {
    const server = await startLoopbackServer((_request, response) => void response.end("ok"));
    const inputs = { fetch_url: server.url };
    expect(await run("flow_http", { inputs })).toEqual(completed({ reachable: true, status: 200 }));
    expect(await run("flow_http", { inputs, egressAllow: [] })).toEqual(
      completed({ reachable: false, reason: expect.stringContaining("MILLRACE_EGRESS_ALLOW") }),
    );
    await server.close();
  });

  it("flow_approval, approved and rejected", async () => {
    const asked: string[] = [];
    const answering = (decision: "approved" | "rejected", data = {}) => ({
      answers: {
        wait: async () => {},
        approval: async ({ message }: { message: string }) => {
          asked.push(message);
          return { decision, data };
        },
      },
    });
    expect(await run("flow_approval", answering("approved", { note: "fine" }))).toEqual(
      completed({ paid: true, amount: 40, note: "fine" }),
    );
    expect(await run("flow_approval", answering("rejected"))).toEqual(
      completed({ paid: false, decision: "rejected" }),
    );
    expect(asked).toEqual(["Refund 40 to Ada?", "Refund 40 to Ada?"]);
  });

  it("flow_parent, which runs flow_child", async () => {
    const { result, nodes } = await report([demoDirectory], { flowId: "flow_parent", data: { name: "Ada" } });
    expect(result).toEqual(completed({ message: "The child says: Hello Ada!" }));
    expect(nodes.filter(({ depth }) => depth === 1).map(({ flowId }) => flowId)).toContain("flow_child");
  });

  it("flow_count", async () => {
    expect(await run("flow_count")).toEqual(completed({ runs: 1 }));
  });
});
