import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { heldKeys, isObject } from "./document.ts";
import { spliceScalars } from "./splice.ts";
import type { Flow } from "./flow.ts";

/** Long lines stay long: nothing may be broken that somebody wrote in one piece. */
const STYLE = { lineWidth: 0, flowCollectionPadding: true } as const;

/** A text for a draft that has none yet. */
export function writeText(flow: Flow): string {
  return new Document(flow, { aliasDuplicateObjects: false }).toString(STYLE);
}

/**
 * The text changed so that it says `flow`: comments, order and the way of writing stay wherever the meaning does. What
 * the text says beside the draft stays too.
 */
export function rewriteText(text: string, flow: Flow): string {
  const document = parseDocument(text, { prettyErrors: false, stringKeys: true });
  if (document.errors.length > 0 || !isMap(document.contents)) return writeText(flow);
  const spliced = spliceScalars(text, document, flow);
  if (spliced !== undefined) return spliced;
  writeOut(document);
  const around = Object.fromEntries(
    Object.entries(document.toJS() as object).filter(([key]) => !HELD.has(key)),
  );
  const said = Object.keys(around).length === 0 ? flow : { ...around, ...flow };
  if (isSame(document.toJS(), said)) return text;
  patch(document, document.contents, said, true);
  return document.toString(STYLE);
}

const HELD: ReadonlySet<string> = new Set(heldKeys);

/** An alias would change with what it points to. */
function writeOut(document: Document): void {
  visit(document, {
    Alias: (_, alias) => create(document, alias.resolve(document)?.toJS(document)),
  });
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) delete (node as { anchor?: string }).anchor;
    },
  });
}

function create(document: Document, value: unknown): Node {
  return document.createNode(value, { aliasDuplicateObjects: false }) as Node;
}

/** The node that says `value`: the given one, changed where it has to be, or a new one in its place. */
function patch(document: Document, node: unknown, value: unknown, keepOrder = false): Node {
  if (isMap(node) && isObject(value)) return patchMap(document, node, value, keepOrder);
  if (isSeq(node) && Array.isArray(value)) return patchList(document, node, value);
  if (isScalar(node) && (value === null || typeof value !== "object")) {
    if (Object.is(node.value, value)) return node;
    return withRemarks(node, patchScalar(node, value));
  }
  const made = create(document, value);
  return isNode(node) ? withRemarks(node, made) : made;
}

function patchScalar(node: Scalar, value: unknown): Scalar {
  const made = new Scalar(value);
  const isQuoted = node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE;
  if (isQuoted && typeof value === "string" && !value.includes("\n")) made.type = node.type!;
  return made;
}

function withRemarks<Made extends Node>(from: Node, made: Made): Made {
  if (from.commentBefore) made.commentBefore = from.commentBefore;
  if (from.comment) made.comment = from.comment;
  if (from.spaceBefore) made.spaceBefore = true;
  if (isCollection(from) && isCollection(made) && from.flow !== undefined) made.flow = from.flow;
  return made;
}

function patchMap(
  document: Document,
  map: YAMLMap,
  value: Record<string, unknown>,
  keepOrder: boolean,
): YAMLMap {
  const before = new Map(map.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : "", pair]));
  const wanted = Object.entries(value).filter(([, field]) => field !== undefined);
  const pairs = wanted.map(([key, field]) => {
    const pair = before.get(key);
    if (!pair) return document.createPair(key, field, { aliasDuplicateObjects: false });
    pair.value = patch(document, pair.value, field);
    return pair;
  });
  if (keepOrder) {
    const places = new Map([...before.keys()].map((key, place) => [key, place]));
    const place = (pair: (typeof pairs)[number]) =>
      places.get(isScalar(pair.key) ? String(pair.key.value) : "") ?? places.size;
    pairs.sort((one, other) => place(one) - place(other));
  }
  map.items = pairs as typeof map.items;
  return map;
}

/** Items are known by their id, others by standing where they stood, counted from whichever end is unchanged. */
function patchList(document: Document, list: YAMLSeq, value: readonly unknown[]): YAMLSeq {
  const old = list.items;
  const said = old.map((item) => (isNode(item) ? (item.toJS(document) as unknown) : item));
  const byId = new Map<string, unknown>();
  for (const [index, item] of said.entries()) {
    const id = idOf(item);
    if (id !== undefined && !byId.has(id)) byId.set(id, old[index]);
  }
  if (value.every((item) => idOf(item) !== undefined) && byId.size === old.length) {
    list.items = value.map((item) => {
      const id = idOf(item)!;
      const known = byId.get(id);
      byId.delete(id); // a second item of the same id is one of its own
      return patch(document, known, item);
    });
    return list;
  }
  let ahead = 0;
  while (ahead < said.length && ahead < value.length && isSame(said[ahead], value[ahead])) ahead++;
  let behind = 0;
  const room = Math.min(said.length, value.length) - ahead;
  while (behind < room && isSame(said.at(-1 - behind), value.at(-1 - behind))) behind++;
  list.items = value.map((item, index) => {
    if (index < ahead) return old[index];
    if (index >= value.length - behind) return old[index - value.length + old.length];
    return index < said.length - behind ? patch(document, old[index], item) : create(document, item);
  });
  return list;
}

function idOf(item: unknown): string | undefined {
  return isObject(item) && typeof item["id"] === "string" ? item["id"] : undefined;
}

/** The same, with keys in the same order. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
