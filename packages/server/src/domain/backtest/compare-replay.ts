import { diffValues, type Difference, isEqual } from "../flow-test/differences.ts";
import type { ReplayResult } from "../replay.ts";
import type { RunErrorRecord, RunNodeRecord } from "../run-record.ts";
import type { Sliced } from "../sliced.ts";
import type { NodeCatalogue } from "../flow/catalogue.ts";

const MAX_STEPS = 50;
const MAX_CALLS = 20;

/** How a run ended and what its nodes did. */
export interface RecordedEnd {
  readonly status: string;
  readonly output: unknown;
  readonly error: RunErrorRecord | null;
  readonly records: readonly RunNodeRecord[];
}

interface ChangedStep {
  readonly nodeKey: string;
  /** `handle`: it was left by another way. */
  readonly change: "added" | "removed" | "handle";
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

interface ChangedCall {
  readonly nodeKey: string;
  /** `new`: it was never made, so what comes behind it is unknown. `dropped`: it is made no more. */
  readonly change: "new" | "dropped";
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

export interface ReplayChange {
  readonly before: string;
  /** `UNKNOWN` where it depends on a call that was never made. */
  readonly after: string;
  readonly output: readonly Difference[];
  readonly error?: { readonly before?: string | undefined; readonly after?: string | undefined };
  readonly path: readonly ChangedStep[];
  readonly calls: readonly ChangedCall[];
}

/** What would have come of a run otherwise; undefined where nothing. */
export function* compareReplay(
  recorded: RecordedEnd,
  result: ReplayResult,
  catalogue: NodeCatalogue,
): Sliced<ReplayChange | undefined> {
  const isUnknown = result.unanswered !== undefined;
  const after = isUnknown ? "UNKNOWN" : result.status;
  const { found } = yield* diffValues(
    recorded.output ?? undefined,
    isUnknown ? recorded.output : result.output,
  );
  const error = isUnknown ? undefined : changedError(recorded.error, result.error);
  const path = isUnknown ? [] : changedSteps(recorded.records, result);
  const calls = changedCalls(recorded.records, result, catalogue);
  const isSame =
    after === recorded.status && found.length + path.length + calls.length === 0 && error === undefined;
  if (isSame) return undefined;
  return { before: recorded.status, after, output: found, ...(error && { error }), path, calls };
}

function changedError(
  before: RunErrorRecord | null,
  after: ReplayResult["error"],
): ReplayChange["error"] | undefined {
  const texts = [before, after].map((one) => one && `${one.nodeId ?? ""}: ${one.name}: ${one.message}`);
  if ((texts[0] ?? undefined) === texts[1]) return undefined;
  return { before: texts[0] ?? undefined, after: texts[1] ?? undefined };
}

/** By node key, because branches that stand beside each other have no order. */
function changedSteps(records: readonly RunNodeRecord[], result: ReplayResult): ChangedStep[] {
  const before = new Map(records.map(({ nodeKey, handle }) => [nodeKey, handle]));
  const handles = new Map(result.nodes.map(({ nodeKey, handle }) => [nodeKey, handle]));
  const began = new Set(result.path.map(({ nodeKey }) => nodeKey));
  const removed = [...before.keys()].filter((nodeKey) => !began.has(nodeKey));
  const steps: ChangedStep[] = [
    ...[...began].flatMap((nodeKey): ChangedStep[] => {
      if (!before.has(nodeKey)) return [{ nodeKey, change: "added" }];
      const [was, is] = [before.get(nodeKey) ?? undefined, handles.get(nodeKey)];
      return was === is ? [] : [{ nodeKey, change: "handle", before: was, after: is }];
    }),
    ...removed.map((nodeKey): ChangedStep => ({ nodeKey, change: "removed" })),
  ];
  return steps.slice(0, MAX_STEPS);
}

function changedCalls(
  records: readonly RunNodeRecord[],
  { unanswered, calls }: ReplayResult,
  catalogue: NodeCatalogue,
): ChangedCall[] {
  // What would have been called behind it is unknown too.
  if (unanswered !== undefined)
    return [{ nodeKey: unanswered.nodeKey, change: "new", input: unanswered.input }];
  const made = new Set(calls.map(({ nodeKey }) => nodeKey));
  return records
    .filter(({ type, nodeKey }) => catalogue.get(type)?.effect === true && !made.has(nodeKey))
    .slice(0, MAX_CALLS)
    .map(({ nodeKey, input }) => ({ nodeKey, change: "dropped", input }));
}

/** What came of a replay, as if it had been recorded. */
export function asRecorded({ status, unanswered, output, error, nodes }: ReplayResult): RecordedEnd {
  return {
    status: unanswered === undefined ? status : "UNKNOWN",
    output: output ?? null,
    error: error ?? null,
    records: nodes as readonly unknown[] as readonly RunNodeRecord[],
  };
}

/** Both end at the same call that nothing is known of. */
export function* isSameGap(
  { unanswered: one }: ReplayResult,
  { unanswered: other }: ReplayResult,
): Sliced<boolean> {
  if (one === undefined || other === undefined) return false;
  return one.nodeKey === other.nodeKey && (yield* isEqual(one.input, other.input));
}
