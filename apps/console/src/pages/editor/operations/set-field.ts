import { isObject } from "../document.ts";
import type { Flow, FlowNode } from "../flow.ts";
import type { Operation } from "../store.ts";
import { mapNodes } from "./change-graph.ts";

type Path = readonly (string | number)[];

/** Sets something of a node, such as `["data", "inputs", "url"]`; `undefined` takes it away. */
export function setField(nodeId: string, path: Path, value: unknown): Operation {
  return (flow) =>
    mapNodes(flow, (node) => (node.id === nodeId ? (setAt(node, path, value) as FlowNode) : node));
}

/** Sets what the document says beside its graph. */
export function setSetting<Name extends Exclude<keyof Flow, "graph">>(
  name: Name,
  value: Flow[Name],
): Operation {
  return (flow) => setAt(flow, [name], value) as Flow;
}

/** A note on a node: for people, kept with what a canvas keeps. */
export function setNote(nodeId: string, note: string): Operation {
  return setField(nodeId, ["data", "ui", "note"], note === "" ? undefined : note);
}

export function noteOf(node: FlowNode): string {
  const { ui } = node.data ?? {};
  return isObject(ui) && typeof ui["note"] === "string" ? ui["note"] : "";
}

/** A copy in which `path` is `value`. What becomes empty because something was taken away goes too, except lists. */
export function setAt(target: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(target) || (typeof step === "number" && !isObject(target))) {
    const list: readonly unknown[] = Array.isArray(target) ? target : [];
    const index = Number(step);
    if (value === undefined && rest.length === 0) return list.filter((_, at) => at !== index);
    const changed = setAt(list[index], rest, value);
    return index < list.length ? list.map((item, at) => (at === index ? changed : item)) : [...list, changed];
  }
  const object = isObject(target) ? target : {};
  const key = String(step);
  const before = Object.hasOwn(object, key) ? object[key] : undefined;
  const changed = setAt(before, rest, value);
  if (changed === before && (changed !== undefined || !Object.hasOwn(object, key))) return target;
  const isEmptied = rest.length > 0 && isObject(changed) && Object.keys(changed).length === 0;
  if (changed === undefined || (value === undefined && isEmptied))
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  // In its place where it was there before, so that the order stays.
  return Object.hasOwn(object, key)
    ? Object.fromEntries(
        Object.entries(object).map(([name, field]) => [name, name === key ? changed : field]),
      )
    : Object.fromEntries([...Object.entries(object), [key, changed]]);
}
