import type { NodeRecord } from "../../../src/engine/flow-runner/run-types.ts";
import type { TestRun } from "./test-flow.ts";

/** What a durable engine keeps: all that was saved and all that came back with the outcome. */
export function kept({ saved, outcome }: TestRun): Map<string, NodeRecord> {
  const records = [...saved.flat(), ...outcome.records];
  return new Map(records.map((record) => [record.nodeKey, structuredClone(record)]));
}

/** That a node which waited was answered. */
export function answer(
  nodeKey: string,
  output: Record<string, unknown>,
  handle?: string,
): [string, NodeRecord] {
  const nodeId = nodeKey.replace(/^.*\./, "").replace(/\[\d+\]$/, "");
  const times = { startedAt: 1, endedAt: 2, attempts: 1 };
  return [
    nodeKey,
    {
      nodeKey,
      nodeId,
      type: "suspend",
      status: "COMPLETED",
      ...times,
      input: {},
      output,
      handle,
      error: undefined,
      log: [],
    },
  ];
}
