import type { FlowTestDocument, TestAnswer } from "@millrace/contract/documents/flow-test";
import type { NodeCatalogue } from "../flow/catalogue.ts";
import type { ReplayResult } from "../replay.ts";
import type { RunNodeRecord } from "../run-record.ts";
import type { Sliced } from "../sliced.ts";
import { isEqual } from "./differences.ts";
import { inRounds } from "./node-key.ts";
import type { Redaction } from "./redaction.ts";

/** More than this is counted, not listed. */
const MAX_LISTED_CALLS = 10;

export interface RunToTest {
  readonly id: string;
  readonly flowId: string;
  readonly startedAtMs: number;
  readonly trigger: Readonly<Record<string, unknown>> | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly inputs: Readonly<Record<string, unknown>> | null;
  readonly records: readonly RunNodeRecord[];
}

export type UnjudgedTest = Omit<FlowTestDocument, "expect">;

/** Keys of outputs that say the same whoever the run was for. */
const STRUCTURE: Readonly<Record<string, readonly string[]>> = {
  "http-request": ["status", "bodyEncoding"],
  approval: ["decision"],
  sql: ["rowCount"],
  "run-flow": ["status"],
};

/** What a run was given and what it was answered, redacted, as a test that expects nothing yet. */
export function* testOfRun(
  run: RunToTest,
  { id, name }: { readonly id: string; readonly name: string },
  redaction: Redaction,
  catalogue: NodeCatalogue,
): Sliced<UnjudgedTest> {
  const data = yield* valuesOf(run.data, "data", redaction);
  const inputs = yield* valuesOf(run.inputs, "inputs", redaction);
  const answers = yield* answersOf(run.records, redaction, catalogue);
  const given = triggerOf(run.trigger);
  const trigger = given && (yield* redaction.redact(given, ["trigger"], (key) => key === "method"));
  return {
    kind: "FlowTest",
    id,
    flowId: run.flowId,
    name,
    now: new Date(run.startedAtMs).toISOString(),
    ...(given && { trigger: trigger as object }),
    ...(data && { data }),
    ...(inputs && { inputs }),
    ...(Object.keys(answers).length > 0 && { answers }),
  };
}

function* valuesOf(
  values: object | null,
  root: string,
  redaction: Redaction,
): Sliced<Record<string, unknown> | undefined> {
  if (values === null || Object.keys(values).length === 0) return undefined;
  return (yield* redaction.redact(values, [root])) as Record<string, unknown>;
}

function triggerOf(trigger: RunToTest["trigger"]): object | undefined {
  const stated = ["body", "headers", "query", "method"].flatMap((key) => {
    const value = trigger?.[key] ?? undefined;
    const isEmpty = typeof value === "object" && Object.keys(value).length === 0 && key !== "body";
    return value === undefined || isEmpty ? [] : [[key, value] as const];
  });
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
}

/** By node where every round was answered alike. */
function* answersOf(
  records: readonly RunNodeRecord[],
  redaction: Redaction,
  catalogue: NodeCatalogue,
): Sliced<Record<string, TestAnswer>> {
  const asked = records.filter(
    ({ type, status }) =>
      (catalogue.get(type)?.effect === true || type === "approval") &&
      (status === "COMPLETED" || status === "FAILED"),
  );
  const answers: Record<string, TestAnswer> = {};
  for (const [nodeId, ofNode] of Map.groupBy(asked, (record) => record.nodeId)) {
    const keyed: [string, TestAnswer][] = [];
    for (const record of ofNode) keyed.push([record.nodeKey, yield* answerOf(record, redaction)]);
    const [, first] = keyed[0]!;
    let areAlike = true;
    for (const [, answer] of keyed) areAlike &&= yield* isEqual(answer, first);
    if (areAlike) answers[nodeId] = first;
    else for (const [nodeKey, answer] of keyed) answers[nodeKey] = answer;
  }
  return answers;
}

function* answerOf(
  { nodeId, type, status, output, error }: RunNodeRecord,
  redaction: Redaction,
): Sliced<TestAnswer> {
  const path = ["answers", nodeId];
  if (status === "FAILED") {
    const message = String(yield* redaction.redact(error?.message ?? "", [...path, "$error", "message"]));
    return { $error: { name: error?.name ?? "NodeFailed", message } };
  }
  const structure = STRUCTURE[type] ?? [];
  return (yield* redaction.redact(output ?? {}, path, (key) => structure.includes(key))) as TestAnswer;
}

/** Expects of a test what has come of it. */
export function expectResult(test: UnjudgedTest, result: ReplayResult): FlowTestDocument {
  const { status, output, error, path, calls } = result;
  const called = Array.from(
    Map.groupBy(calls, ({ nodeId }) => nodeId),
    ([nodeId, made]) => [
      nodeId,
      made.length > MAX_LISTED_CALLS ? made.length : inRounds(made).map(({ input }) => ({ ...input })),
    ],
  );
  const isFailed = status === "FAILED";
  return {
    ...test,
    expect: {
      status: isFailed ? "FAILED" : "COMPLETED",
      ...(output && { output: { ...output } }),
      ...(error && { error: { name: error.name, nodeId: error.nodeId } }),
      path: [...new Set(path.map(({ nodeId }) => nodeId))],
      ...(called.length > 0 && { calls: Object.fromEntries(called) as Record<string, number> }),
    },
  };
}
