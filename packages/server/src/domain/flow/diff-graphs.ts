import { type FlowSettings, flowSettingNames } from "@millrace/contract/documents/flow";
import type { FlowEdge, FlowGraph, FlowNode } from "@millrace/contract/documents/graph";
import type { FlowDifference } from "@millrace/contract/manage/flows";
import type { Sliced } from "../sliced.ts";
import { nameOf } from "./validation/flow-to-check.ts";

/** What makes two graphs run differently, in words; where nodes lie on the canvas is none of it. */
export function* diffGraphs(from: FlowGraph, to: FlowGraph): Sliced<FlowDifference[]> {
  const before = new Map(from.nodes.map((node) => [node.id, node]));
  const after = new Map(to.nodes.map((node) => [node.id, node]));
  const changes: FlowDifference[] = [];
  const add = (node: FlowNode, change: FlowDifference["change"], text: string) =>
    changes.push({ what: "node", id: node.id, change, text });
  for (const node of to.nodes) {
    const old = before.get(node.id);
    if (!old) add(node, "added", `${nameOf(node)} of type ${node.type} was added.`);
    else for (const text of nodeChanges(old, node)) add(node, "changed", `${nameOf(node)}: ${text}.`);
    yield;
  }
  for (const node of from.nodes)
    if (!after.has(node.id)) add(node, "removed", `${nameOf(node)} of type ${node.type} was removed.`);
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
    })),
  );
}

function nodeChanges(old: FlowNode, node: FlowNode): string[] {
  const texts: string[] = [];
  if (old.type !== node.type) texts.push(`its type changed from ${old.type} to ${node.type}`);
  if ((old.parentId ?? undefined) !== (node.parentId ?? undefined))
    texts.push(`it moved from ${placeText(old)} to ${placeText(node)}`);
  for (const [name, before, after] of pairs(settingsOf(old), settingsOf(node)))
    texts.push(changeText(name, before, after));
  for (const [name, before, after] of pairs(old.data?.inputs ?? {}, node.data?.inputs ?? {}))
    texts.push(changeText(`the input "${name}"`, before, after));
  return texts;
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
