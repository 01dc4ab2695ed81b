import { isObject } from "../document.ts";
import { type Flow, type FlowNode, nodeOf } from "../flow.ts";
import type { Operation } from "../store.ts";
import { nodeIds, withGraph } from "./change-graph.ts";

/** Inputs that are expressions as they stand, without braces. */
export type BareInputs = (type: string) => readonly string[];

const ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Text in quotes says nothing about nodes; after `nodes` comes a plain or a quoted name. */
const PARTS = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<![\w.$`])nodes\s*\.\s*(?:`([^`]+)`|([A-Za-z_]\w*))/g;

/** Whether a node may be called so. */
export function canRename(flow: Flow, from: string, to: string): boolean {
  return from !== to && ID.test(to) && !nodeIds(flow).has(to);
}

/** Gives a node another id, with every edge, every inner node and every expression that names it. */
export function renameNode(from: string, to: string, bareInputs: BareInputs): Operation {
  return (flow) => {
    if (!nodeOf(flow, from) || !canRename(flow, from, to)) return flow;
    const names = new Map([[from, to]]);
    return withGraph(flow, {
      nodes: flow.graph.nodes.map((node) => renamed(node, names, bareInputs)),
      edges: flow.graph.edges.map((edge) =>
        edge.source !== from && edge.target !== from
          ? edge
          : {
              ...edge,
              source: names.get(edge.source) ?? edge.source,
              target: names.get(edge.target) ?? edge.target,
            },
      ),
    });
  };
}

/** A node in which ids have become others: its own, its container's and those in its expressions. */
export function renamed(
  node: FlowNode,
  names: ReadonlyMap<string, string>,
  bareInputs: BareInputs,
): FlowNode {
  const id = names.get(node.id) ?? node.id;
  const parentId = node.parentId && (names.get(node.parentId) ?? node.parentId);
  const { inputs } = node.data ?? {};
  const bare = bareInputs(node.type);
  const changed =
    inputs &&
    mapValues(inputs, (value, name) =>
      typeof value === "string" && bare.includes(name)
        ? renameInExpression(value, names)
        : renameInValue(value, names),
    );
  if (id === node.id && parentId === node.parentId && changed === inputs) return node;
  return {
    ...node,
    id,
    ...(parentId && { parentId }),
    ...(changed !== inputs && { data: { ...node.data, inputs: changed } }),
  };
}

function renameInValue(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return value.replaceAll(/\{\{[\s\S]*?\}\}/g, (part) => renameInExpression(part, names));
  if (Array.isArray(value)) {
    const list = value.map((item) => renameInValue(item, names));
    return list.every((item, index) => item === value[index]) ? value : list;
  }
  return isObject(value) ? mapValues(value, (field) => renameInValue(field, names)) : value;
}

function renameInExpression(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(PARTS, (whole: string, quoted?: string, plain?: string) => {
    const to = names.get(quoted ?? plain ?? "");
    if (to === undefined) return whole;
    return `nodes.${/^[A-Za-z_]\w*$/.test(to) ? to : `\`${to}\``}`;
  });
}

function mapValues(
  object: Record<string, unknown>,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(object).map(([name, value]) => [name, change(value, name)] as const);
  return entries.every(([name, value]) => value === object[name]) ? object : Object.fromEntries(entries);
}
