import { describe, expect, it } from "vitest";
import { reasonOf } from "../../src/domain/error-reason.ts";
import { eventBody, type EventOutput, hasOutput } from "../../src/domain/events/event-body.ts";
import { parseRetryAfterMs, RETRY_DELAYS_MS, retryDelayMs } from "../../src/domain/events/retry-schedule.ts";
import { makeSigningSecret, signatureHeaders } from "../../src/domain/events/signature.ts";
import type { RunEventData } from "../../src/domain/events/stored-event.ts";
import { IdMaker } from "../../src/domain/ids.ts";

const runId = new IdMaker(() => Date.UTC(2026, 0, 1)).make("run");
const at = new Date("2026-01-01T00:00:05Z");
const run: RunEventData = {
  flowId: "flow_a",
  version: "20260101.1",
  status: "EXECUTING",
  triggerSource: "api",
  tags: [],
  isTest: false,
  attempt: 1,
  parentRunId: null,
  startedAt: null,
  completedAt: null,
  error: null,
  waits: null,
};

function dataOf(type: string, data: object, id: string | null = runId, output?: EventOutput) {
  const event = { id: "evt_1", type, runId: id, at, data: data as Record<string, unknown> };
  const url = (...parts: string[]) => parts.join("/");
  return JSON.parse(eventBody("org_a", event, url, output)).data;
}

describe("the body of an event", () => {
  it("of something else than a run is what was stored", () => {
    expect(dataOf("agent.session.created", { sessionId: "s" }, null)).toEqual({ sessionId: "s" });
  });

  it("of a queue item names its run once it has one", () => {
    const item = { status: "waiting", flowId: "flow_a", version: "20260101.1", triggerSource: "api" };
    expect(dataOf("queue.item.created", item).queueItem).toEqual({
      id: runId.replace("run_", "queue_"),
      runHistoryId: runId.replace("run_", "rh_"),
      createdAt: "2026-01-01T00:00:00.000Z",
      ...item,
    });
    expect(dataOf("queue.item.dispatched", { ...item, status: "dispatched" }).queueItem.runId).toBe(runId);
  });

  it("of a run leaves out what has not happened", () => {
    const { run: body } = dataOf("run.started", run);
    expect(body).toMatchObject({ id: runId, taskIdentifier: "execute-flow", updatedAt: at.toISOString() });
    for (const name of ["startedAt", "completedAt", "duration", "error", "pause"])
      expect(body).not.toHaveProperty(name);
  });

  it("of a run that has ended says how long it took and what was wrong", () => {
    const times = { startedAt: "2026-01-01 00:00:01+00", completedAt: "2026-01-01 00:00:03.5+00" };
    const completed = { ...run, ...times, status: "COMPLETED", parentRunId: "run_parent" };
    expect(dataOf("run.completed", completed).run).toMatchObject({
      taskIdentifier: "execute-subflow",
      startedAt: "2026-01-01T00:00:01.000Z",
      completedAt: "2026-01-01T00:00:03.500Z",
      duration: 2.5,
    });
    for (const missing of [{ startedAt: null }, { completedAt: null }])
      expect(dataOf("run.completed", { ...completed, ...missing }).run.duration).toBe(0);
    const error = { name: "Broken", message: "x".repeat(5_000) };
    expect(dataOf("run.failed", { ...run, error }).run.error.message).toHaveLength(1_000);
  });

  it("of a run that completed carries what the flow returned, letter by letter, or says that it is too large", () => {
    const completed = { ...run, status: "COMPLETED" };
    const output = { output: `{"b":1,"a":{"10":2,"9":3}}`, isTooLarge: false };
    const event = { id: "evt_1", type: "run.completed", runId, at, data: completed as never };
    expect(hasOutput(event)).toBe(true);
    expect(hasOutput({ ...event, type: "run.failed" })).toBe(false);
    expect(hasOutput({ ...event, runId: null })).toBe(false);
    const text = eventBody("org_a", event, String, output);
    expect(text.endsWith(`,"output":{"b":1,"a":{"10":2,"9":3}}}}}`)).toBe(true);
    expect(JSON.parse(text).data.run).toMatchObject({ id: runId, output: { b: 1 } });
    const told = (given: EventOutput) => dataOf("run.completed", completed, runId, given).run;
    expect(told({ output: null, isTooLarge: false }).output).toEqual({});
    expect(told({ output: null, isTooLarge: true })).toMatchObject({ outputTruncated: true });
    expect(told({ output: null, isTooLarge: true })).not.toHaveProperty("output");
  });

  it("of a paused run shows the approval before any other wait", () => {
    const wait = { nodeKey: "later", nodeId: "later", kind: "wait", dueAt: "2026-02-01T00:00:00Z" };
    const approval = { nodeKey: "boss[1]", nodeId: "boss", kind: "approval" };
    const pauseOf = (...waits: object[]) => dataOf("run.paused", { ...run, waits }).run.pause;
    expect(pauseOf(wait)).toEqual({ nodeId: "later", nodeKey: "later", kind: "wait", until: wait.dueAt });
    expect(pauseOf(wait, approval)).toEqual({
      nodeId: "boss",
      nodeKey: "boss[1]",
      kind: "approval",
      resumeUrl: `org_a/${runId}/boss[1]`,
    });
    expect(pauseOf({ ...approval, message: "x".repeat(2_000) }).message).toHaveLength(1_000);
    expect(pauseOf()).toBeUndefined();
  });
});

describe("a delivery that failed", () => {
  const again = (attempts: number, more: { random?: number; retryAfterMs?: number } = {}) =>
    retryDelayMs(attempts, { random: 0.5, delaysMs: RETRY_DELAYS_MS, ...more });

  it("is tried again nine times, each wait a tenth more or less", () => {
    expect(Array.from({ length: 9 }, (_, at) => again(at + 1))).toEqual(RETRY_DELAYS_MS);
    expect(again(10)).toBeUndefined();
    expect([again(1, { random: 0 }), again(1, { random: 1 })]).toEqual([4_500, 5_500]);
  });

  it("waits as long as the receiver asks for, a day at most", () => {
    expect(again(1, { retryAfterMs: 60_000 })).toBe(60_000);
    expect(again(1, { retryAfterMs: 1 })).toBe(5_000);
    expect(again(1, { retryAfterMs: 9e9 })).toBe(86_400_000);
  });

  it("reads Retry-After as seconds or as a date", () => {
    const nowMs = Date.UTC(2026, 0, 1);
    expect(parseRetryAfterMs("120", nowMs)).toBe(120_000);
    expect(parseRetryAfterMs("Thu, 01 Jan 2026 00:01:00 GMT", nowMs)).toBe(60_000);
    expect(parseRetryAfterMs("Wed, 31 Dec 2025 00:00:00 GMT", nowMs)).toBe(0);
    expect([undefined, "soon"].map((text) => parseRetryAfterMs(text, nowMs))).toEqual([undefined, undefined]);
  });
});

it("a body is signed with every secret that is valid, the newest first", () => {
  const secrets = [makeSigningSecret(), makeSigningSecret()];
  const sign = (some: string[]) =>
    signatureHeaders(some, { id: "evt_1", timestampSeconds: 7, body: "{}" })["webhook-signature"];
  expect(sign(secrets)).toBe(secrets.map((secret) => sign([secret])).join(" "));
});

it("the reason of an error is its text, or those of the errors inside it", () => {
  expect(reasonOf(new Error("gone"))).toBe("gone");
  expect(reasonOf("gone")).toBe("gone");
  expect(reasonOf(new AggregateError([new Error("a"), "b"], ""))).toBe("a, b");
  expect(reasonOf(new AggregateError([new Error("a")], "both failed"))).toBe("both failed");
});
