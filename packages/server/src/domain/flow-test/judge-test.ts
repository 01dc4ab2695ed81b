import type { FlowTestDocument, TestExpectation } from "@millrace/contract/documents/flow-test";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { TestText } from "@millrace/contract/manage/replays";
import type { ReplayCall, ReplayResult } from "../replay.ts";
import { differences, valueText } from "./differences.ts";
import { inRounds } from "./node-key.ts";
import { failure, say, type TestFailure } from "./test-texts.ts";

/** Every expectation that was not met. */
export function judgeTest(
  { expect }: FlowTestDocument,
  graph: FlowGraph,
  result: ReplayResult,
): TestFailure[] {
  if (result.unanswered !== undefined) return [missingAnswer(result.unanswered)];
  return [
    ...judgeStatus(expect, result),
    ...judgeOutput(expect, result),
    ...judgeError(expect, result),
    ...judgePath(expect, graph, result),
    ...judgeCalls(expect, result),
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

function judgeOutput({ output }: TestExpectation, result: ReplayResult): TestFailure[] {
  if (output === undefined || result.status !== "COMPLETED") return [];
  const found = differences(output, result.output);
  return found.length === 0 ? [] : [failure("output", say("output"), found)];
}

function judgeError({ error }: TestExpectation, result: ReplayResult): TestFailure[] {
  if (error === undefined || result.error === undefined) return [];
  const { name, message, nodeId } = result.error;
  const stated = Object.keys(error) as (keyof typeof error)[];
  const actual = Object.fromEntries(stated.map((key) => [key, { name, message, nodeId }[key]]));
  const found = differences(error, actual);
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
  const before = new Map<string, string[]>();
  const note = (target: string, source: string) =>
    before.set(target, [...(before.get(target) ?? []), source]);
  for (const { source, target } of graph.edges) note(target, source);
  for (const { id, parentId } of graph.nodes) if (parentId) note(id, parentId);
  const listed = new Set<string>();
  return path.flatMap((id) => {
    listed.add(id);
    const late = (before.get(id) ?? []).find((source) => path.includes(source) && !listed.has(source));
    return late === undefined ? [] : [say("path-order", { node: id, other: late })];
  });
}

function judgeCalls({ calls = {} }: TestExpectation, result: ReplayResult): TestFailure[] {
  return Object.entries(calls).flatMap(([key, expected]): TestFailure[] => {
    const made = inRounds(result.calls.filter(({ nodeKey, nodeId }) => nodeKey === key || nodeId === key));
    const count = typeof expected === "number" ? expected : expected.length;
    if (made.length !== count) {
      const shown = made
        .slice(0, 5)
        .map(({ nodeKey, input }) => say("call", { node: nodeKey, input: valueText(input) }));
      return [
        failure("calls", say("call-count", { node: key, expected: count, actual: made.length }), shown),
      ];
    }
    if (typeof expected === "number") return [];
    const found = expected.flatMap((input, index) => {
      const actual = made[index]!.input;
      const named = Object.fromEntries(Object.keys(input).map((name) => [name, actual[name]]));
      return differences(input, named, index + 1);
    });
    return found.length === 0 ? [] : [failure("calls", say("call-inputs", { node: key }), found)];
  });
}
