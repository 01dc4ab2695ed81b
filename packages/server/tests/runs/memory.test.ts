import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ChildService, startChildService } from "../support/child-service.ts";
import { type LoopbackServer, startLoopbackServer } from "../support/loopback-server.ts";
import { chain, fan, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { startTestService } from "../support/service.ts";

/** A receiver that refuses `/no…`, never answers `/hang…`, and answers the rest. */
interface Received {
  readonly path: string;
  readonly key: string;
  readonly body: string;
}
let received: Received[];
let receiver: LoopbackServer;
let service: RunTestService;
let workers: ChildService[] = [];

beforeAll(async () => {
  service = await startRunService({ concurrency: 20 }, () => startTestService({}, { role: "api" }));
  receiver = await startLoopbackServer((request, response) => {
    const path = request.url ?? "";
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received.push({ path, key: String(request.headers["idempotency-key"]), body });
      if (path.startsWith("/hang")) return;
      response.writeHead(path.startsWith("/no") ? 500 : 200).end("{}");
    });
  });
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.end()));
  workers = [];
});

const post = (id: string, path: string, inputs: object = {}, data: object = {}) =>
  node(id, "http-request", { url: `${receiver.url}${path}`, method: "POST", body: {}, ...inputs }, data);
const count = (path: string) => received.filter((one) => one.path === path).length;

async function startWorker(): Promise<ChildService> {
  const worker = await startChildService("worker", service.database.connection);
  workers.push(worker);
  return worker;
}

/** The worker dies, and another one takes its place. */
async function replace(worker: ChildService): Promise<ChildService> {
  worker.signal("SIGKILL");
  await worker.exited;
  return startWorker();
}

interface ShownNode {
  readonly nodeKey: string;
  readonly status: string;
  readonly attempts: number;
  readonly input?: object;
}

async function nodesOf(runId: string): Promise<ReadonlyMap<string, ShownNode>> {
  const { body } = await service.get(`/api/runs/${runId}/nodes`, service.key);
  return new Map((body.data as ShownNode[]).map((each) => [each.nodeKey, each]));
}

const untilNode = (runId: string, nodeKey: string, is: (shown: ShownNode) => boolean) =>
  until(`${nodeKey} is there`, async () => {
    const shown = (await nodesOf(runId)).get(nodeKey);
    return shown !== undefined && is(shown);
  });

describe("a run whose worker is killed", () => {
  it("posts once per attempt what failed and was handled, and repeats what was under way with the same words", async () => {
    received = [];
    const retry = { maxAttempts: 2, backoffSeconds: 0 };
    const body = { at: "{{ $now() }}", random: "{{ $random() }}" };
    await service.flow(
      "flow_handled",
      chain(
        post("no", "/no", { body }, { retry, onError: "continue" }),
        node("pause", "wait", { duration: "5s" }),
        post("first", "/hang1", { body }),
      ),
    );
    let worker = await startWorker();
    const runId = await service.begin("flow_handled");
    await untilNode(runId, "no", ({ status }) => status === "FAILED");
    worker = await replace(worker);
    await until("the next effect is under way", () => count("/hang1") === 1);
    await replace(worker);
    await until("it was repeated", () => count("/hang1") === 2);
    expect(count("/no")).toBe(2);
    const told = received.filter(({ path }) => path === "/hang1");
    expect(told[0]).toEqual(told[1]);
    expect(JSON.parse(told[0]!.body)).toEqual({ at: expect.any(String), random: expect.any(Number) });
    const [one, two] = received.filter(({ path }) => path === "/no");
    expect(one).toEqual(two);
    const canceled = await service.send("POST", `/api/runs/${runId}/cancel`, { key: service.key });
    expect(canceled.status).toBe(200);
    await untilNode(runId, "first", ({ status, input }) => status === "CANCELED" && input !== undefined);
    expect((await nodesOf(runId)).get("no")).toMatchObject({ status: "FAILED", attempts: 2 });
  }, 300_000);

  it("goes on with the attempts of a node that were left", async () => {
    received = [];
    const retry = { maxAttempts: 3, backoffSeconds: 4 };
    await service.flow("flow_retry", chain(post("no", "/no-retry", {}, { retry, onError: "continue" })));
    let worker = await startWorker();
    const runId = await service.begin("flow_retry");
    for (const made of [1, 2]) {
      await untilNode(runId, "no", ({ attempts }) => attempts === made);
      worker = await replace(worker);
    }
    expect((await service.untilEnd(runId)).status).toBe("COMPLETED");
    expect(count("/no-retry")).toBe(3);
    expect((await nodesOf(runId)).get("no")).toMatchObject({ status: "FAILED", attempts: 3 });
  }, 300_000);
});

describe("a run", () => {
  it("that fails on purpose is not tried again", async () => {
    received = [];
    await service.flow("flow_stop", chain(post("x", "/ok-stop"), node("stop", "fail", { message: "No." })));
    await startWorker();
    const runId = await service.begin("flow_stop", { maxAttempts: 3 });
    expect(await service.untilEnd(runId)).toMatchObject({ status: "FAILED", error: { name: "FlowFailed" } });
    expect((await service.row(runId))["attempt"]).toBe(1);
  });

  it("that is ended by one branch has records of the others", async () => {
    received = [];
    const { nodes, edges } = fan(post("slow", "/hang-slow"), post("quick", "/ok-quick"));
    await service.flow("flow_ends", {
      nodes: [...nodes, node("end", "return", { value: { ok: true } })],
      edges: [...edges, { id: "last", source: "quick", target: "end" }],
    });
    await startWorker();
    const runId = await service.begin("flow_ends");
    expect(await service.untilEnd(runId)).toMatchObject({ status: "COMPLETED", output: { ok: true } });
    expect((await nodesOf(runId)).get("slow")).toMatchObject({
      status: "ABORTED",
      input: { url: `${receiver.url}/hang-slow` },
      completedAt: expect.any(String),
    });
  });

  it("that takes too long says so of its nodes too", async () => {
    received = [];
    await service.flow("flow_late", chain(post("slow", "/hang-late")));
    await startWorker();
    const runId = await service.begin("flow_late", { maxDuration: 1 });
    expect((await service.untilEnd(runId)).status).toBe("TIMED_OUT");
    expect((await nodesOf(runId)).get("slow")).toMatchObject({ status: "TIMED_OUT" });
  });
});
