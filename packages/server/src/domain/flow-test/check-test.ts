import type { FlowTestDocument, TestAnswer } from "@millrace/contract/documents/flow-test";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import { unknownName } from "@millrace/contract/documents/nearest-name";
import type { Problem } from "../documents/fault.ts";
import type { NodeCatalogue } from "../flow/catalogue.ts";
import { nodeIdOf } from "./node-key.ts";

/** What a test says of nodes that its flow does not have, or that are never asked. */
export function checkTest(test: FlowTestDocument, graph: FlowGraph, catalogue: NodeCatalogue): Problem[] {
  const types = new Map(graph.nodes.map(({ id, type }) => [id, type]));
  const ids = [...types.keys()];
  const unknown = (path: readonly PropertyKey[], nodeKey: string): Problem[] =>
    types.has(nodeIdOf(nodeKey)) ? [] : [{ path, message: unknownName("node", nodeIdOf(nodeKey), ids) }];
  const kindOf = (nodeKey: string) => catalogue.get(types.get(nodeIdOf(nodeKey)) ?? "");

  const answers = Object.entries(test.answers ?? {}).flatMap(([nodeKey, answer]) => {
    const path = ["answers", nodeKey];
    const missing = unknown(path, nodeKey);
    if (missing.length > 0) return missing;
    const kind = kindOf(nodeKey);
    if (kind?.type === "approval") return decisionProblems(answer, path);
    if (kind?.effect) return [];
    const message = `the node "${nodeIdOf(nodeKey)}" is executed, so it needs no answer; only nodes with effects and approvals do`;
    return [{ path, message }];
  });
  const path = (test.expect.path ?? []).flatMap((id, index) => unknown(["expect", "path", index], id));
  const calls = Object.keys(test.expect.calls ?? {}).flatMap((nodeKey) => {
    const missing = unknown(["expect", "calls", nodeKey], nodeKey);
    const kind = kindOf(nodeKey);
    if (missing.length > 0 || kind?.effect || kind?.type === "approval") return missing;
    const message = `the node "${nodeIdOf(nodeKey)}" calls nothing; only nodes with effects and approvals do`;
    return [{ path: ["expect", "calls", nodeKey], message }];
  });
  return [...answers, ...path, ...calls];
}

const DECISIONS: ReadonlySet<unknown> = new Set(["approved", "rejected", "timeout"]);

function decisionProblems(answer: TestAnswer, path: readonly PropertyKey[]): Problem[] {
  const { decision, $error, $attempts, $byInput } = answer as Record<string, unknown>;
  if ($error !== undefined || $attempts !== undefined || $byInput !== undefined) return [];
  if (DECISIONS.has(decision)) return [];
  return [{ path, message: "the answer of an approval needs decision: approved, rejected or timeout" }];
}
