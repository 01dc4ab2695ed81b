import type { FlowTestDocument, TestAnswer } from "@millrace/contract/documents/flow-test";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import { unknownName } from "@millrace/contract/documents/nearest-name";
import type { Problem } from "../documents/fault.ts";
import type { NodeCatalogue } from "../flow/catalogue.ts";
import { nodeIdOf } from "./node-key.ts";

/** Nobody reads on; a test may hold very many. */
const MAX_PROBLEMS = 20;

/** What a test says of nodes that its flow does not have, or that are never asked. */
export function checkTest(test: FlowTestDocument, graph: FlowGraph, catalogue: NodeCatalogue): Problem[] {
  return problemsOf(test, graph, catalogue).take(MAX_PROBLEMS).toArray();
}

function* problemsOf(
  { answers = {}, expect }: FlowTestDocument,
  graph: FlowGraph,
  catalogue: NodeCatalogue,
): Generator<Problem, undefined> {
  const types = new Map(graph.nodes.map(({ id, type }) => [id, type]));
  const ids = [...types.keys()];
  const unknown = (path: readonly PropertyKey[], nodeKey: string): Problem | undefined =>
    types.has(nodeIdOf(nodeKey)) ? undefined : { path, message: unknownName("node", nodeIdOf(nodeKey), ids) };
  const kindOf = (nodeKey: string) => catalogue.get(types.get(nodeIdOf(nodeKey)) ?? "");

  for (const [nodeKey, answer] of Object.entries(answers)) {
    const path = ["answers", nodeKey];
    const missing = unknown(path, nodeKey);
    const kind = kindOf(nodeKey);
    if (missing) yield missing;
    else if (kind?.type === "approval") yield* decisionProblems(answer, path);
    else if (!kind?.effect)
      yield {
        path,
        message: `the node "${nodeIdOf(nodeKey)}" is executed, so it needs no answer; only nodes with effects and approvals do`,
      };
  }
  for (const [index, id] of (expect.path ?? []).entries()) {
    const missing = unknown(["expect", "path", index], id);
    if (missing) yield missing;
  }
  for (const nodeKey of Object.keys(expect.calls ?? {})) {
    const path = ["expect", "calls", nodeKey];
    const missing = unknown(path, nodeKey);
    const kind = kindOf(nodeKey);
    if (missing) yield missing;
    else if (!kind?.effect && kind?.type !== "approval")
      yield {
        path,
        message: `the node "${nodeIdOf(nodeKey)}" calls nothing; only nodes with effects and approvals do`,
      };
  }
  return undefined;
}

const DECISIONS: ReadonlySet<unknown> = new Set(["approved", "rejected", "timeout"]);

function decisionProblems(answer: TestAnswer, path: readonly PropertyKey[]): Problem[] {
  const { decision, $error, $attempts, $byInput } = answer as Record<string, unknown>;
  if ($error !== undefined || $attempts !== undefined || $byInput !== undefined) return [];
  if (DECISIONS.has(decision)) return [];
  return [{ path, message: "the answer of an approval needs decision: approved, rejected or timeout" }];
}
