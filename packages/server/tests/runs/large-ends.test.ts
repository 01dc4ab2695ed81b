import { afterAll, beforeAll, expect, it } from "vitest";
import { fan, joined, node, type TestNode } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

/** More than one portion of what is saved before a run ends, with characters of several bytes. */
const TEXT = "Ärger 😀 ".repeat(12_000);
const HELD = 4;
const NODES = 4 + HELD;

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService({ credits: 1_000 });
});
afterAll(() => service.stop());

/** Requests that hold a megabyte each are under way when one branch comes to its end. */
async function runTo(end: TestNode): Promise<string> {
  gate = await startGate();
  const large = "{{ data.text }}".repeat(6);
  const held = Array.from({ length: HELD }, (_, at) => {
    const { data, ...rest } = gate.node(`held${at}`) as TestNode & { data: { inputs: object } };
    return { ...rest, data: { inputs: { ...data.inputs, method: "POST", body: large } } };
  });
  const begun = fan(gate.node("last"), ...held);
  const made = joined(begun, node("made", "set", { values: { text: large } }), ["last"]);
  const flowId = await service.flow(`flow_${end.type}`, joined(made, end, ["made"]));
  const id = await service.begin(flowId, { payload: { data: { text: TEXT } } });
  await gate.untilArrived(HELD + 1);
  return id;
}

async function recordsOf(runId: string): Promise<Record<string, [status: string, inputBytes: number]>> {
  const rows = await service.rows(
    `SELECT record->>'nodeKey' AS key, record->>'status' AS status, octet_length((record->'input')::text) AS bytes
       FROM run_records('org_run', $1)`,
    runId,
  );
  return Object.fromEntries(rows.map(({ key, status, bytes }) => [key, [status, bytes]]));
}

/** A failure to save it is repaired by another execution, which would come to the same end. */
async function expectOneExecution(runId: string): Promise<void> {
  expect(await service.rows(`SELECT epoch FROM runs WHERE id = $1`, runId)).toEqual([{ epoch: 1 }]);
}

/** Of those that are known only with the end: what ends the run, and what is stopped by that, whose attempts would be forgotten. */
function savedBefore(runId: string): Promise<unknown[]> {
  return service.rows(
    `SELECT node_key FROM run_nodes WHERE run_id = $1 AND (node_key = 'end' OR node_key LIKE 'held%')`,
    runId,
  );
}

async function costOf(runId: string): Promise<number> {
  const [row] = await service.rows(`SELECT sum(amount) AS sum FROM credit_entries WHERE run_id = $1`, runId);
  return -Number(row.sum);
}

const inputBytes = Buffer.byteLength(TEXT) * 6;

function expectRecords(records: Awaited<ReturnType<typeof recordsOf>>, held: string, last: string): void {
  for (let at = 0; at < HELD; at += 1) {
    expect(records[`held${at}`]?.[0]).toBe(held);
    expect(records[`held${at}`]?.[1]).toBeGreaterThan(inputBytes);
  }
  expect(records["made"]?.[0]).toBe("COMPLETED");
  expect(records["end"]?.[0]).toBe(last);
  expect(Object.keys(records)).toHaveLength(NODES);
}

it("a run that holds much ends by its return, with all that its nodes have done", async () => {
  const id = await runTo(node("end", "return", { value: { text: "{{ nodes.made.text }}" } }));
  gate.letGo(200, "/last");
  const run = await service.untilEnd(id);
  await gate.close();
  expect([run.status, run.output]).toEqual(["COMPLETED", { text: TEXT.repeat(6) }]);
  await expectOneExecution(id);
  expectRecords(await recordsOf(id), "ABORTED", "COMPLETED");
  expect(await savedBefore(id)).toEqual([]);
  const [returned] = await service.rows(
    `SELECT record->'input'->'value' AS given, record->'output' AS made FROM run_records('org_run', $1) WHERE node_key = 'end'`,
    id,
  );
  expect(returned).toEqual({ given: run.output, made: run.output });
  expect(await costOf(id)).toBe(NODES - HELD);
});

it("and by a failure", async () => {
  const id = await runTo(node("end", "fail", { message: "no more" }));
  gate.letGo(200, "/last");
  const run = await service.untilEnd(id);
  await gate.close();
  expect([run.status, run.error]).toEqual(["FAILED", expect.objectContaining({ message: "no more" })]);
  await expectOneExecution(id);
  expectRecords(await recordsOf(id), "ABORTED", "FAILED");
  expect(await savedBefore(id)).toEqual([]);
  expect(await costOf(id)).toBe(NODES - HELD);
});

it("and where it is cancelled, its nodes tell what they were given", async () => {
  const id = await runTo(node("end", "set", { values: {} }));
  await service.send("POST", `/api/runs/${id}/cancel`, { key: service.key });
  expect((await service.untilEnd(id)).status).toBe("CANCELED");
  await expect.poll(async () => Object.values(await recordsOf(id)).length).toBe(NODES - 2);
  await gate.close();
  const records = await recordsOf(id);
  expect(Object.values(records).filter(([status]) => status === "CANCELED")).toHaveLength(HELD + 1);
  expect(records["held0"]?.[1]).toBeGreaterThan(inputBytes);
});
