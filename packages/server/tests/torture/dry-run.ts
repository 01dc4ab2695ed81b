import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dryRun } from "../../src/engine/dry-run/dry-run.ts";
import type { Observed, ObservedRecord } from "./observed.ts";
import { flowIdOf, isLastHold } from "./places.ts";
import { type Prepared, TRIGGER_DATA } from "./prepare.ts";
import type { Receiver } from "./receiver.ts";

const ENDS = new Set(["COMPLETED", "FAILED", "CANCELED", "ABORTED", "TIMED_OUT"]);
const MAX_MS = 60_000;

/** Whether `flows run` can do all of it: it has no clock of its own and nobody who stays away. */
export function isDryRunnable(prepared: Prepared): boolean {
  const text = JSON.stringify(prepared.torture);
  return (
    prepared.torture.ending !== "max-duration" && !text.includes('"timeout"') && !text.includes("late-pause")
  );
}

/** A case as `millrace flows run` does it. */
export async function runDry(prepared: Prepared, receiver: Receiver): Promise<Observed> {
  const { caseId, documents, torture } = prepared;
  const stop = new AbortController();
  const calls = receiver.expect(caseId, ({ at, key }) => {
    if (isLastHold(torture, at, key)) stop.abort();
  });
  const records = new Map<string, ObservedRecord[]>();
  const directory = await mkdtemp(join(tmpdir(), "millrace-torture-"));
  const timer = setTimeout(() => stop.abort(), MAX_MS);
  let runId = "";
  try {
    const path = join(directory, "flows.yaml");
    await writeFile(path, documents.map((document) => JSON.stringify(document)).join("\n---\n"));
    const result = await dryRun(
      {
        paths: [path],
        flowId: flowIdOf(caseId, "root"),
        trigger: {},
        data: TRIGGER_DATA,
        inputs: {},
        signal: stop.signal,
        answers: {
          wait: async () => {},
          approval: async ({ message }) => decisionOf(message),
        },
        onStart: (start) => (runId = start.runId),
        onNode: ({ depth, nodeKey, status, attempts = 1 }) => {
          if (depth === 0 && ENDS.has(status))
            records.set(nodeKey, [...(records.get(nodeKey) ?? []), { status, attempts }]);
        },
      },
      { env: {}, egressAllow: ["127.0.0.0/8"] },
    );
    const { status } = result;
    return {
      runs: [
        {
          at: "root",
          runId,
          status,
          losses: 0,
          records,
          ...(result.status === "COMPLETED" && { output: result.output }),
          ...(result.status === "FAILED" && { error: result.error }),
        },
      ],
      knowsChildren: false,
      calls: [...calls],
      faults: [],
    };
  } catch (error) {
    return {
      runs: [],
      knowsChildren: false,
      calls: [...calls],
      faults: [`the dry run failed: ${String(error)}`],
    };
  } finally {
    clearTimeout(timer);
    receiver.forget(caseId);
    await rm(directory, { recursive: true, force: true });
  }
}

/** An approval says in its message how it is to be answered. */
export function decisionOf(message: string): { decision: "approved" | "rejected"; data: { d: number } } {
  const [, decision, data] = message.split(" ");
  return { decision: decision === "rejected" ? "rejected" : "approved", data: { d: Number(data) } };
}
