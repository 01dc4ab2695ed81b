import type { FlowTestDocument, TestExpectation } from "@millrace/contract/documents/flow-test";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { TestText } from "@millrace/contract/manage/replays";
import type { ReplayCall, ReplayResult } from "../replay.ts";
import type { Sliced } from "../sliced.ts";
import { differences, valueText } from "./differences.ts";
import { inRounds } from "./node-key.ts";
import { failure, say, type TestFailure } from "./test-texts.ts";

/** Every expectation that was not met. */
export function* judgeTest(
  { expect }: FlowTestDocument,
  graph: FlowGraph,
  result: ReplayResult,
): Sliced<TestFailure[]> {
  if (result.unanswered !== undefined) return [missingAnswer(result.unanswered)];
  return [
    ...judgeStatus(expect, result),
    ...(yield* judgeOutput(expect, result)),
    ...(yield* judgeError(expect, result)),
    ...judgePath(expect, graph, result),
    ...(yield* judgeCalls(expect, result)),
  ];
}

/** Says what to add, so that it can be copied. */
function missingAnswer({ nodeKey, nodeId, type, input }: ReplayCall): TestFailure {
  const output = type === "approval" ? "{ decision: approved }" : "{ … its output … }";
  const example = `{ ${nodeId}: ${output} }`;
  return failure("answer", say("no-answer", { node: nodeKey, type, example }), [
    say("answer-missing", { node: nodeKey, everyRound: nodeId }),
    say("was-given", { input: valueText(input) }),
  ]);
}

function judgeStatus({ status = "COMPLETED" }: TestExpectation, result: ReplayResult): TestFailure[] {
  if (status === result.status) return [];
  const values = { expected: status, actual: result.status };
  if (!result.error) return [failure("status", say("status", values))];
  const { message, nodeId: node, name } = result.error;
  return [failure("status", say("status-error", { ...values, message, node, name }))];
}

function* judgeOutput({ output }: TestExpectation, result: ReplayResult): Sliced<TestFailure[]> {
  if (output === undefined || result.status !== "COMPLETED") return [];
  const found = yield* differences(output, result.output);
  return found.length === 0 ? [] : [failure("output", say("output"), found)];
}

function* judgeError({ error }: TestExpectation, result: ReplayResult): Sliced<TestFailure[]> {
  if (error === undefined || result.error === undefined) return [];
  const { name, message, nodeId } = result.error;
  const stated = Object.keys(error) as (keyof typeof error)[];
  const actual = Object.fromEntries(stated.map((key) => [key, { name, message, nodeId }[key]]));
  const found = yield* differences(error, actual);
  return found.length === 0 ? [] : [failure("error", say("error"), found)];
}

function judgePath({ path }: TestExpectation, graph: FlowGraph, result: ReplayResult): TestFailure[] {
  if (path === undefined) return [];
  const actual = [...new Set(result.path.map(({ nodeId }) => nodeId))];
  const found = [
    ...path.filter((id) => !actual.includes(id)).map((node) => say("path-missing", { node })),
    ...actual.filter((id) => !path.includes(id)).map((node) => say("path-extra", { node })),
    ...path.filter((id, index) => path.indexOf(id) < index).map((node) => say("path-twice", { node })),
  ];
  if (found.length === 0) found.push(...misplaced(path, graph));
  if (found.length === 0) return [];
  return [failure("path", say("path", { expected: path.join(" → "), actual: actual.join(" → ") }), found)];
}

/** Nodes that are listed before one that leads to them. What stands beside each other has no order. */
function misplaced(path: readonly string[], graph: FlowGraph): TestText[] {
  const inside = graph.nodes.flatMap(({ id, parentId }) =>
    parentId ? [{ source: parentId, target: id }] : [],
  );
  const before = Map.groupBy([...graph.edges, ...inside], ({ target }) => target);
  const later = new Set(path);
  return path.flatMap((id) => {
    later.delete(id);
    const late = before.get(id)?.find(({ source }) => later.has(source));
    return late === undefined ? [] : [say("path-order", { node: id, other: late.source })];
  });
}

function* judgeCalls({ calls = {} }: TestExpectation, result: ReplayResult): Sliced<TestFailure[]> {
  const failures: TestFailure[] = [];
  const byKey = Map.groupBy(result.calls, ({ nodeKey }) => nodeKey);
  const byNode = Map.groupBy(result.calls, ({ nodeId }) => nodeId);
  for (const [key, expected] of Object.entries(calls)) {
    yield;
    const failed = yield* judgeCallsOf(key, expected, inRounds(byNode.get(key) ?? byKey.get(key) ?? []));
    if (failed) failures.push(failed);
  }
  return failures;
}

function* judgeCallsOf(
  node: string,
  expected: NonNullable<TestExpectation["calls"]>[string],
  made: readonly ReplayCall[],
): Sliced<TestFailure | undefined> {
  const count = typeof expected === "number" ? expected : expected.length;
  if (made.length !== count) {
    const shown = made
      .slice(0, 5)
      .map(({ nodeKey, input }) => say("call", { node: nodeKey, input: valueText(input) }));
    return failure("calls", say("call-count", { node, expected: count, actual: made.length }), shown);
  }
  if (typeof expected === "number") return undefined;
  const found: TestText[] = [];
  for (const [index, input] of expected.entries()) {
    const actual = made[index]!.input;
    const named = Object.fromEntries(Object.keys(input).map((name) => [name, actual[name]]));
    found.push(...(yield* differences(input, named, index + 1)));
  }
  return found.length === 0 ? undefined : failure("calls", say("call-inputs", { node }), found);
}
