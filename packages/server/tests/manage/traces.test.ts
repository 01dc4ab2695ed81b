import type { IncomingMessage } from "node:http";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { traceOfRun } from "../../src/domain/trace-context.ts";
import { SpanExporter } from "../../src/telemetry/traces/span-exporter.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { node, type TestNode } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { startTestService } from "../support/service.ts";

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: string } }[];
  readonly status: { code: number };
}

type Server = Awaited<ReturnType<typeof startLoopbackServer>>;

/** A collector: takes OTLP over HTTP in JSON, and refuses while it is told to. */
const spans: OtlpSpan[] = [];
const headers: IncomingMessage["headers"][] = [];
let refuseWith = 0;
let requests = 0;
/** An address that flows call, and the headers it was sent. */
const calls: IncomingMessage["headers"][] = [];
let collector: Server;
let called: Server;
let service: RunTestService;

beforeAll(async () => {
  collector = await startLoopbackServer(async (request, response) => {
    requests += 1;
    const body = await readText(request);
    if (refuseWith > 0) return void response.writeHead(refuseWith).end();
    expect([request.url, request.method, request.headers["content-type"]]).toEqual([
      "/v1/traces",
      "POST",
      "application/json",
    ]);
    headers.push(request.headers);
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { resource: { attributes: object[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
    };
    for (const { resource, scopeSpans } of resourceSpans) {
      expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "millrace" } });
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  called = await startLoopbackServer((request, response) => {
    calls.push(request.headers);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  service = await startRunService({}, () =>
    startTestService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-token=a%20b",
    }),
  );
  const inside = (child: TestNode): TestNode => ({ ...child, parentId: "each" });
  await service.flow("flow_traced", {
    nodes: [
      { id: "start", type: "start", data: {} },
      node("each", "for-each", { items: [1, 2] }),
      inside(node("call", "http-request", { url: called.url })),
      node("done", "return", { value: {} }),
    ],
    edges: [
      { id: "a", source: "start", target: "each" },
      { id: "b", source: "each", sourceHandle: "done", target: "done" },
    ],
  });
});
afterAll(async () => {
  await service.stop();
  await collector.close();
  await called.close();
});
beforeEach(() => {
  spans.length = 0;
  calls.length = 0;
});

const attribute = ({ attributes }: OtlpSpan, key: string) =>
  attributes.find((one) => one.key === key)?.value.stringValue;
const untilRunSpan = (runId: string) =>
  until("the span of the run was told", () =>
    spans.find((span) => span.name.startsWith("run ") && attribute(span, "millrace.run.id") === runId),
  );
const ofRun = (runId: string) => spans.filter((span) => attribute(span, "millrace.run.id") === runId);

it("tells one trace for a run: a span for each node, inside its container, inside the run", async () => {
  const runId = await service.begin("flow_traced");
  const run = await untilRunSpan(runId);
  const all = ofRun(runId);
  expect(all.map(({ name }) => name).toSorted()).toEqual(
    [
      "start start",
      "http-request call",
      "http-request call",
      "for-each each",
      "return done",
      "run flow_traced",
    ].toSorted(),
  );
  expect(new Set(all.map(({ traceId }) => traceId))).toEqual(
    new Set([traceOfRun(runId, undefined, 1).traceId]),
  );
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(all.length);
  const each = all.find(({ name }) => name === "for-each each")!;
  for (const span of all) {
    const isInside = span.name === "http-request call";
    if (span !== run)
      expect([span.name, span.parentSpanId]).toEqual([span.name, isInside ? each.spanId : run.spanId]);
    expect([span.status.code, BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)]).toEqual([
      1,
      true,
    ]);
    expect(BigInt(span.startTimeUnixNano) >= BigInt(run.startTimeUnixNano) - 5_000_000n).toBe(true);
  }
  expect(run.parentSpanId).toBeUndefined();
  expect(attribute(run, "millrace.run.status")).toBe("COMPLETED");
  expect(headers.at(-1)!["x-token"]).toBe("a b");
  // Whoever a node calls is part of the trace.
  const told = all
    .filter(({ name }) => name === "http-request call")
    .map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`);
  expect(calls.map((sent) => String(sent["traceparent"])).toSorted()).toEqual(told.toSorted());
});

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parent = `00-${traceId}-b7ad6b7169203331-01`;

it("takes up the trace of whoever triggers it, and leaves it out where that one is not told", async () => {
  const begin = async (traceparent: string) => {
    const { body } = await service.send("POST", "/api/runs", {
      key: service.key,
      headers: { traceparent },
      body: { payload: { flowId: "flow_traced" } },
    });
    return body.data.id as string;
  };
  const silent = await begin(parent.replace(/01$/, "00"));
  await service.untilEnd(silent);
  expect(calls.map((sent) => sent["traceparent"])).toEqual([undefined, undefined]);
  const runId = await begin(parent);
  const run = await untilRunSpan(runId);
  expect([run.traceId, run.parentSpanId]).toEqual([traceId, "b7ad6b7169203331"]);
  expect(calls.slice(2).every((sent) => String(sent["traceparent"]).startsWith(`00-${traceId}-`))).toBe(true);
  expect(ofRun(silent)).toEqual([]);
});

it("tells a run that pauses as one, with the failure it ends with", async () => {
  await service.flow("flow_pausing", {
    nodes: [
      { id: "start", type: "start", data: {} },
      node("ask", "approval", { message: "secret words" }),
      node("stop", "fail", { message: "more of them" }),
    ],
    edges: [
      { id: "a", source: "start", target: "ask" },
      { id: "b", source: "ask", sourceHandle: "approved", target: "stop" },
    ],
  });
  const runId = await service.begin("flow_pausing");
  await service.untilStatus(runId, "PAUSED");
  await service.send("POST", `/api/runs/${runId}/resume`, {
    key: service.key,
    body: { decision: "approved" },
  });
  const run = await untilRunSpan(runId);
  const all = ofRun(runId);
  expect(all.map(({ name, status }) => `${name} ${status.code}`).toSorted()).toEqual(
    ["approval ask 1", "fail stop 2", "run flow_pausing 2", "start start 1"].toSorted(),
  );
  const ask = all.find(({ name }) => name === "approval ask")!;
  expect(BigInt(run.startTimeUnixNano) - 5_000_000n <= BigInt(ask.startTimeUnixNano)).toBe(true);
  expect(JSON.stringify(all)).not.toMatch(/secret words|more of them/);
});

it("drops and counts what a collector does not take, and never keeps more than it may", async () => {
  let dropped = 0;
  const exporter = new SpanExporter({
    endpoint: collector.url,
    headers: {},
    resource: { "service.name": "millrace" },
    version: "1",
    onDropped: (count) => (dropped += count),
    maxWaiting: 600,
  });
  const span = {
    traceId,
    spanId: "b7ad6b7169203331",
    parentSpanId: undefined,
    name: "x",
    kind: "internal",
    startedAt: 1,
    endedAt: 2,
    attributes: { n: 1 },
    hasFailed: false,
  } as const;
  for (let at = 0; at < 1_000; at += 1) exporter.add(span);
  expect(dropped).toBe(400);
  refuseWith = 503;
  await expect(exporter.flush()).rejects.toThrow("503");
  const before = requests;
  await exporter.flush();
  expect(requests).toBe(before);
  refuseWith = 400;
  const other = new SpanExporter({
    endpoint: collector.url,
    headers: {},
    resource: {},
    version: "1",
    onDropped: (count) => (dropped += count),
  });
  other.add(span);
  await other.flush();
  expect(dropped).toBe(401);
  refuseWith = 0;
});
