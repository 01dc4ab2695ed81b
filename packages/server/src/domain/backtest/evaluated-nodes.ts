import type { EvaluatedNode } from "@millrace/contract/manage/replays";
import type { NodeCatalogue } from "../flow/catalogue.ts";
import { diffValues } from "../flow-test/differences.ts";
import { measureJson } from "../json-measure.ts";
import type { ReplayResult } from "../replay.ts";
import type { RunNodeRecord } from "../run-record.ts";
import type { Sliced } from "../sliced.ts";

/** Of all nodes together, as JSON. */
const MAX_BYTES = 5_000_000;

/** The nodes of a replay beside what the run has recorded of them, in the order in which they ended. */
export function* evaluatedNodes(
  records: readonly RunNodeRecord[],
  { nodes, calls }: ReplayResult,
  catalogue: NodeCatalogue,
): Sliced<EvaluatedNode[]> {
  const before = new Map(records.map((record) => [record.nodeKey, record]));
  const evaluated: EvaluatedNode[] = [];
  let bytes = 0;
  for (const { nodeKey, nodeId, type, status, input, output, handle, error } of nodes) {
    const record = before.get(nodeKey);
    const isAnswered = catalogue.get(type)?.effect === true || type === "approval";
    const what = { output, error, handle };
    const was = record && { output: record.output, error: record.error, handle: record.handle ?? undefined };
    const changed = (yield* diffValues(was, what, 1)).found.length > 0;
    const inputChanged = isAnswered && (yield* diffValues(record?.input, input, 1)).found.length > 0;
    const measured = measureJson([input, output], {
      bytes: MAX_BYTES - bytes,
      values: Infinity,
      depth: Infinity,
    });
    const fits = typeof measured === "number";
    bytes += fits ? measured : 0;
    evaluated.push({
      nodeKey,
      nodeId,
      type,
      status,
      source: isAnswered ? "recorded" : "evaluated",
      ...(fits && input !== undefined && { input }),
      ...(fits && output !== undefined && { output }),
      ...(!fits && { leftOut: true }),
      ...(handle !== undefined && { handle }),
      ...(error !== undefined && { error }),
      changed,
      inputChanged,
    });
  }
  const ended = new Set(nodes.map(({ nodeKey }) => nodeKey));
  for (const { nodeKey, nodeId, type, input } of calls) {
    if (ended.has(nodeKey)) continue;
    const open = { nodeKey, nodeId, type, status: "PAUSED", source: "unknown" } as const;
    evaluated.push({ ...open, input, changed: true, inputChanged: true });
  }
  return evaluated;
}
