import { type Flow, settingsOf } from "./flow.ts";
import { edgeKey } from "./operations/change-graph.ts";
import { notesOf } from "./notes.ts";
import { isSame } from "./rewrite.ts";

export interface Difference {
  readonly what: "node" | "edge" | "note" | "setting";
  readonly id: string;
  readonly change: "added" | "removed" | "changed";
}

/** What one draft has that another has not, node by node. */
export function differences(from: Flow, to: Flow): Difference[] {
  return [
    ...changes("node", byKey(from.graph.nodes, idOf), byKey(to.graph.nodes, idOf)),
    ...changes("edge", byKey(from.graph.edges, edgeKey), byKey(to.graph.edges, edgeKey)),
    ...changes("note", byKey(notesOf(from), idOf), byKey(notesOf(to), idOf)),
    ...changes("setting", settingsByName(from), settingsByName(to)),
  ];
}

function changes(
  what: Difference["what"],
  from: ReadonlyMap<string, unknown>,
  to: ReadonlyMap<string, unknown>,
): Difference[] {
  const found: Difference[] = [];
  for (const [id, item] of to) {
    if (!from.has(id)) found.push({ what, id, change: "added" });
    else if (!isSame(from.get(id), item)) found.push({ what, id, change: "changed" });
  }
  for (const id of from.keys()) if (!to.has(id)) found.push({ what, id, change: "removed" });
  return found;
}

const idOf = ({ id }: { readonly id: string }) => id;

function byKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item> {
  return new Map(items.map((item) => [keyOf(item), item]));
}

function settingsByName(flow: Flow): Map<string, unknown> {
  return new Map(Object.entries(settingsOf(flow)));
}
