import type { FlowTestDocument, TestExpectation } from "@millrace/contract/documents/flow-test";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { ReplayCall, ReplayResult } from "../replay.ts";
import { differences, valueText } from "./differences.ts";
import { inRounds } from "./node-key.ts";

/** One expectation that was not met. */
export interface TestFailure {
  readonly what: "status" | "output" | "error" | "path" | "calls" | "answer" | "flow";
  readonly message: string;
  /** Place by place. */
  readonly differences?: readonly string[];
}

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
  const example = type === "approval" ? "{ decision: approved }" : "{ … its output … }";
  const key = nodeKey === nodeId ? nodeId : `${nodeKey}, or ${nodeId} for every round`;
  return {
    what: "answer",
    message: `the node "${nodeKey}" (${type}) was called and has no answer; nothing was sent. Add it to the test: answers: { ${nodeId}: ${example} }`,
    differences: [`answers.${key} is missing`, `it was given ${valueText(input)}`],
  };
}

function judgeStatus({ status = "COMPLETED" }: TestExpectation, result: ReplayResult): TestFailure[] {
  if (status === result.status) return [];
  const why =
    result.error && `: ${result.error.message} (node "${result.error.nodeId}", ${result.error.name})`;
  return [{ what: "status", message: `expected ${status}, got ${result.status}${why ?? ""}` }];
}

function judgeOutput({ output }: TestExpectation, result: ReplayResult): TestFailure[] {
  if (output === undefined || result.status !== "COMPLETED") return [];
  const found = differences(output, result.output);
  return found.length === 0 ? [] : [{ what: "output", message: "the output differs", differences: found }];
}

function judgeError({ error }: TestExpectation, result: ReplayResult): TestFailure[] {
  if (error === undefined || result.error === undefined) return [];
  const { name, message, nodeId } = result.error;
  const stated = Object.keys(error) as (keyof typeof error)[];
  const actual = Object.fromEntries(stated.map((key) => [key, { name, message, nodeId }[key]]));
  const found = differences(error, actual);
  return found.length === 0 ? [] : [{ what: "error", message: "the error differs", differences: found }];
}

function judgePath({ path }: TestExpectation, graph: FlowGraph, result: ReplayResult): TestFailure[] {
  if (path === undefined) return [];
  const actual = [...new Set(result.path.map(({ nodeId }) => nodeId))];
  const found = [
    ...path.filter((id) => !actual.includes(id)).map((id) => `"${id}" was expected and did not begin`),
    ...actual.filter((id) => !path.includes(id)).map((id) => `"${id}" began and was not expected`),
    ...path.filter((id, index) => path.indexOf(id) < index).map((id) => `"${id}" is listed twice`),
  ];
  if (found.length === 0) found.push(...misplaced(path, graph));
  if (found.length === 0) return [];
  return [
    {
      what: "path",
      message: `expected ${path.join(" → ")}, got ${actual.join(" → ")}`,
      differences: found,
    },
  ];
}

/** Nodes that are listed before one that leads to them. What stands beside each other has no order. */
function misplaced(path: readonly string[], graph: FlowGraph): string[] {
  const before = new Map<string, string[]>();
  const note = (target: string, source: string) =>
    before.set(target, [...(before.get(target) ?? []), source]);
  for (const { source, target } of graph.edges) note(target, source);
  for (const { id, parentId } of graph.nodes) if (parentId) note(id, parentId);
  const listed = new Set<string>();
  return path.flatMap((id) => {
    listed.add(id);
    const late = (before.get(id) ?? []).find((source) => path.includes(source) && !listed.has(source));
    return late === undefined ? [] : [`"${id}" is listed before "${late}", which leads to it`];
  });
}

function judgeCalls({ calls = {} }: TestExpectation, result: ReplayResult): TestFailure[] {
  return Object.entries(calls).flatMap(([key, expected]): TestFailure[] => {
    const made = inRounds(result.calls.filter(({ nodeKey, nodeId }) => nodeKey === key || nodeId === key));
    const count = typeof expected === "number" ? expected : expected.length;
    if (made.length !== count) {
      const shown = made.slice(0, 5).map(({ nodeKey, input }) => `${nodeKey}: ${valueText(input)}`);
      const message = `"${key}" was expected to be called ${times(count)}, and was called ${times(made.length)}`;
      return [{ what: "calls", message, differences: shown }];
    }
    if (typeof expected === "number") return [];
    const found = expected.flatMap((input, index) => {
      const actual = made[index]!.input;
      const named = Object.fromEntries(Object.keys(input).map((name) => [name, actual[name]]));
      return differences(input, named).map((line) => `call ${index + 1}, ${line}`);
    });
    if (found.length === 0) return [];
    return [{ what: "calls", message: `"${key}" was called with other inputs`, differences: found }];
  });
}

function times(count: number): string {
  return count === 1 ? "once" : count === 0 ? "never" : `${count} times`;
}
