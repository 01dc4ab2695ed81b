import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Flow } from "./flow.ts";
import { positionOf } from "./operations/change-graph.ts";

/** What is wrong with a text, and where. */
export interface TextFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Of the document around a draft: what `apply` reads and no draft holds. */
const AROUND = new Set(["kind", "id", "organizationId", "name", "slug", "active", "webhook", "schedules"]);
/** What a draft holds. */
export const heldKeys = ["input", "tool", "onFailure", "requireTests", "graph"];
const MAX_FAULTS = 20;

/** The draft that a YAML (or JSON) text says, or what keeps it from being read. */
export function readText(text: string): { readonly flow?: Flow; readonly faults: readonly TextFault[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const at = (offset: number, message: string): TextFault => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  };
  const problems = [...document.errors, ...document.warnings].slice(0, MAX_FAULTS);
  if (problems.length > 0) return { faults: problems.map(({ pos, message }) => at(pos[0], message)) };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch {
    return { faults: [at(0, "repeats too much through its aliases (*name); write it out")] };
  }
  const faults = [...shapeFaults(value)]
    .slice(0, MAX_FAULTS)
    .map(({ path, message }) => at(offsetOf(document, path), message));
  if (faults.length > 0) return { faults };
  const held = Object.entries(value as object).filter(([key]) => heldKeys.includes(key));
  return { flow: Object.fromEntries(held) as unknown as Flow, faults };
}

/** Finds the line of what a path names, or of as much of it as there is. */
export function lineFinder(text: string): (path: readonly (string | number)[]) => number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  return (path) => Math.max(1, lines.linePos(offsetOf(document, path)).line);
}

interface ShapeFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Only what canvas and outline could not show; everything else is the service's to judge. */
function* shapeFaults(value: unknown): Generator<ShapeFault> {
  if (!isObject(value)) return yield { path: [], message: "must be a flow: `graph`, and beside it `input`" };
  for (const key of Object.keys(value))
    if (!heldKeys.includes(key) && !AROUND.has(key))
      yield { path: [key], message: `unknown key "${key}"; known are ${heldKeys.join(", ")}` };
  const { graph } = value;
  if (!isObject(graph)) return yield { path: ["graph"], message: "`graph` must hold `nodes` and `edges`" };
  yield* listFaults(graph, "nodes", ["id", "type"]);
  yield* listFaults(graph, "edges", ["source", "target"]);
  if (graph["notes"] !== undefined) yield* listFaults(graph, "notes", ["id"]);
}

function* listFaults(graph: Record<string, unknown>, name: string, texts: string[]): Generator<ShapeFault> {
  const list = graph[name];
  if (!Array.isArray(list)) return yield { path: ["graph", name], message: `\`${name}\` must be a list` };
  const seen = new Set<unknown>();
  for (const [index, item] of list.entries()) {
    const path = ["graph", name, index];
    if (!isObject(item)) yield { path, message: "must be a mapping" };
    else {
      for (const key of texts)
        if (typeof item[key] !== "string" || item[key] === "")
          yield { path: [...path, key], message: `\`${key}\` must be a text` };
      if (item["data"] != null && !isObject(item["data"]))
        yield { path: [...path, "data"], message: "`data` must be a mapping" };
      if (name === "notes" && (typeof item["text"] !== "string" || !positionOf(item)))
        yield { path, message: "a note needs a `text` and a `position` with `x` and `y`" };
      if (name !== "edges" && seen.has(item["id"]))
        yield { path: [...path, "id"], message: `the id "${String(item["id"])}" is there twice` };
      seen.add(item["id"]);
    }
  }
}

function offsetOf(document: Document, path: readonly (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair || !isNode(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (!isNode(node)) break;
      offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
