import type { InputSchema, NodeTypeDescription } from "@millrace/contract/documents/node-catalogue";
import catalogue from "@millrace/contract/schemas/node-types.json" with { type: "json" };
import type { FlowNode } from "./flow.ts";

export type { InputSchema, NodeTypeDescription };

/** Every node type, in the order of the node reference. */
export const nodeTypes = catalogue as unknown as readonly NodeTypeDescription[];
const byType = new Map(nodeTypes.map((description) => [description.type, description]));

export function nodeTypeOf(type: string): NodeTypeDescription | undefined {
  return byType.get(type);
}

/** Inputs that are expressions without braces. */
export function bareInputs(type: string): readonly string[] {
  return byType.get(type)?.bareExpressions ?? [];
}

export function isContainer(type: string): boolean {
  return byType.get(type)?.container === true;
}

/** The ways out of a node, in order. */
export function handlesOf(node: FlowNode): readonly string[] {
  const type = byType.get(node.type);
  if (!type) return ["out"];
  const cases = type.cases === undefined ? [] : caseNames(node.data?.inputs?.[type.cases]);
  const handles = [...cases, ...type.handles];
  return node.data?.onError === "branch" ? [...handles, "error"] : handles;
}

/** The way out that an edge means which names none. */
export function defaultHandle(node: FlowNode): string {
  const [first, second] = handlesOf({ ...node, data: { ...node.data, onError: null } });
  return first !== undefined && second === undefined ? first : "out";
}

function caseNames(cases: unknown): string[] {
  if (!Array.isArray(cases)) return [];
  return cases.map((one: { name?: unknown } | null) => one?.name).filter((name) => typeof name === "string");
}

/** A new node of a type, with nothing in it. */
export function newNode(type: string, id: string): FlowNode {
  return { id, type, data: {} };
}
