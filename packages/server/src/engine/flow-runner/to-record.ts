import type { CompiledNode } from "../../domain/flow/compile.ts";
import type { NodeRecord } from "./run-types.ts";

/** An execution of a node, as far as a record tells of it. */
export interface RecordedNode {
  readonly node: CompiledNode;
  readonly nodeKey: string;
  readonly startedAt: number;
  /** Where it is known better than by when it was noticed. */
  readonly endedAt: number | undefined;
  readonly attempts: number;
  readonly input: Record<string, unknown> | undefined;
  readonly lines: readonly string[];
  readonly joinedFrom: string | undefined;
  /** Its end is in the records. */
  isRecorded: boolean;
}

export type RecordEnding = Pick<NodeRecord, "status"> &
  Partial<Pick<NodeRecord, "output" | "handle" | "error" | "factAt">>;

/** What stands in front of `attempts` is read without the rest; what is new comes last. */
export function toRecord(
  { node, nodeKey, startedAt, attempts, input, lines, joinedFrom }: RecordedNode,
  { status, output, handle, error, factAt }: RecordEnding,
  endedAt: number,
): NodeRecord {
  return {
    nodeKey,
    nodeId: node.id,
    type: node.type,
    status,
    startedAt,
    endedAt,
    attempts,
    input,
    output,
    handle,
    error,
    log: lines,
    factAt,
    joinedFrom,
  };
}
