import { type FlowSettings, flowSettingNames } from "@millrace/contract/documents/flow";
import type { FlowEdge, FlowGraph, FlowNode } from "@millrace/contract/documents/graph";
import type { FlowDifference } from "@millrace/contract/manage/flows";
import type { Sliced } from "../sliced.ts";
import { MAX_LABEL, nameOf } from "./validation/flow-to-check.ts";

/** What of a thing changed, and how it was; as JSON, `undefined` where it was not there. */
interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly text: string;
}

/** What makes two graphs run differently, in words; where nodes lie on the canvas is none of it. */
export function* diffGraphs(from: FlowGraph, to: FlowGraph): Sliced<FlowDifference[]> {
  const before = new Map(from.nodes.map((node) => [node.id, node]));
  const after = new Map(to.nodes.map((node) => [node.id, node]));
  const changes: FlowDifference[] = [];
  const addWhole = (node: FlowNode, change: "added" | "removed") => {
    const text = `${nameOf(node)} of type ${node.type} was ${change}.`;
    changes.push({ what: "node", id: node.id, change, text, ...labelOf(node), type: node.type });
  };
  for (const node of to.nodes) {
    const old = before.get(node.id);
    if (!old) addWhole(node, "added");
    else
      for (const { field, text, ...values } of nodeChanges(old, node))
        changes.push({
          what: "node",
          id: node.id,
          change: "changed",
          text: `${nameOf(node)}: ${text}.`,
          ...labelOf(node),
          field,
          ...valuesOf(values),
        });
    yield;
  }
  for (const node of from.nodes) if (!after.has(node.id)) addWhole(node, "removed");
  changes.push(...edgeChanges(from.edges, to.edges));
  return changes;
}

/** What a flow says beside its graph, in words. */
export function diffSettings(from: FlowSettings, to: FlowSettings): FlowDifference[] {
  return flowSettingNames.flatMap((name) =>
    pairs({ [name]: from[name] }, { [name]: to[name] }).map(([, before, after]) => ({
      what: "setting",
      id: name,
      change: before === undefined ? "added" : after === undefined ? "removed" : "changed",
      text: `The flow: ${changeText(name, before, after)}.`,
      ...valuesOf({ before, after }),
    })),
  );
}

function labelOf({ id, data }: FlowNode): Pick<FlowDifference, "label"> {
  return data?.label && data.label !== id ? { label: data.label.slice(0, MAX_LABEL) } : {};
}

function valuesOf({ before, after }: Pick<FieldChange, "before" | "after">) {
  return {
    ...(before !== undefined && { before: shown(before) }),
    ...(after !== undefined && { after: shown(after) }),
  };
}

function nodeChanges(old: FlowNode, node: FlowNode): FieldChange[] {
  const changes: FieldChange[] = [];
  if (old.type !== node.type) {
    const text = `its type changed from ${old.type} to ${node.type}`;
    changes.push({ field: "type", before: old.type, after: node.type, text });
  }
  const [before, after] = [old.parentId ?? undefined, node.parentId ?? undefined];
  if (before !== after) {
    const text = `it moved from ${placeText(old)} to ${placeText(node)}`;
    changes.push({ field: "parentId", before, after, text });
  }
  for (const [name, before, after] of pairs(settingsOf(old), settingsOf(node)))
    changes.push({ field: name, before, after, text: changeText(name, before, after) });
  for (const [name, before, after] of pairs(old.data?.inputs ?? {}, node.data?.inputs ?? {}))
    changes.push({
      field: `inputs.${name}`,
      before,
      after,
      text: changeText(`the input "${name}"`, before, after),
    });
  return changes;
}

function placeText({ parentId }: FlowNode): string {
  return parentId == null ? "the flow itself" : `the container "${parentId}"`;
}

/** Everything of a node that is neither an input nor the canvas. */
function settingsOf({ data }: FlowNode): Record<string, unknown> {
  const { inputs: _inputs, ui: _ui, retry, ...settings } = data ?? {};
  const retries = Object.entries(retry ?? {}).map(([name, value]) => [`retry.${name}`, value]);
  return { ...settings, ...Object.fromEntries(retries) };
}

type Values = Readonly<Record<string, unknown>>;

/** What differs; `null` and nothing are the same. */
function pairs(before: Values, after: Values): [string, unknown, unknown][] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name): [string, unknown, unknown] => [name, before[name] ?? undefined, after[name] ?? undefined])
    .filter(([, old, now]) => JSON.stringify(old) !== JSON.stringify(now));
}

function changeText(name: string, before: unknown, after: unknown): string {
  if (before === undefined) return `${name} was set to ${shown(after)}`;
  if (after === undefined) return `${name} was removed; it was ${shown(before)}`;
  return `${name} changed from ${shown(before)} to ${shown(after)}`;
}

const MAX_SHOWN = 120;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

function edgeChanges(from: readonly FlowEdge[], to: readonly FlowEdge[]): FlowDifference[] {
  const [before, after] = [edgesByName(from), edgesByName(to)];
  const change = (id: string, verb: "added" | "removed"): FlowDifference => ({
    what: "edge",
    id,
    change: verb,
    text: `The edge ${id} was ${verb}.`,
  });
  return [
    ...[...after].filter((name) => !before.has(name)).map((name) => change(name, "added")),
    ...[...before].filter((name) => !after.has(name)).map((name) => change(name, "removed")),
  ];
}

function edgesByName(edges: readonly FlowEdge[]): ReadonlySet<string> {
  return new Set(
    edges.map(({ source, sourceHandle, target }) =>
      sourceHandle ? `${source} (${sourceHandle}) → ${target}` : `${source} → ${target}`,
    ),
  );
}
