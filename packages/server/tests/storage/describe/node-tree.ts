/** A node of PostgreSQL's own picture of a query, as `pg_node_tree` writes it: `{VAR :varno 1 :varattno 2 …}`. */
export interface Node {
  readonly kind: string;
  readonly fields: ReadonlyMap<string, readonly Item[]>;
}

type Item = Node | readonly Item[] | string;

export function parseNodeTree(text: string): Item {
  const tokens = text.match(/[(){}]|(?:\\.|[^\s(){}\\])+/g) ?? [];
  let at = 0;

  function item(): Item {
    const token = tokens[at++]!;
    if (token === "{") return node();
    if (token !== "(") return token;
    const items: Item[] = [];
    while (tokens[at] !== ")") items.push(item());
    at++;
    return items;
  }

  function node(): Node {
    const kind = tokens[at++]!;
    const fields = new Map<string, Item[]>();
    while (tokens[at] !== "}") {
      const field: Item[] = [];
      fields.set(tokens[at++]!.slice(1), field);
      while (tokens[at] !== "}" && !tokens[at]!.startsWith(":")) field.push(item());
    }
    at++;
    return { kind, fields };
  }

  return item();
}

const isNode = (item: Item | undefined): item is Node => typeof item === "object" && "kind" in item;

/** The node in a field, undefined for `<>`. */
export function nodeIn(node: Node, field: string): Node | undefined {
  const item = node.fields.get(field)?.[0];
  return isNode(item) ? item : undefined;
}

/** The nodes of a list in a field. */
export function nodesIn(node: Node, field: string): Node[] {
  const item = node.fields.get(field)?.[0];
  return Array.isArray(item) ? item.filter(isNode) : [];
}

export function listLength(node: Node, field: string): number {
  const item = node.fields.get(field)?.[0];
  return Array.isArray(item) ? item.length : 0;
}

export function textIn(node: Node, field: string): string | undefined {
  const item = node.fields.get(field)?.[0];
  return typeof item === "string" && item !== "<>" ? item.replaceAll(/^"|"$|\\(?=.)/g, "") : undefined;
}

export const numberIn = (node: Node, field: string): number => Number(textIn(node, field));

export const isTrue = (node: Node, field: string): boolean => textIn(node, field) === "true";

/** Whether a set of numbers, `(b 1 2)`, has any. */
export function hasMembers(node: Node, field: string): boolean {
  const item = node.fields.get(field)?.[0];
  return Array.isArray(item) && item.length > 1;
}

/** A constant text: its bytes after the length. */
export function constantText(node: Node): string {
  const bytes = (node.fields.get("constvalue") ?? []).slice(2, -1).map(Number);
  return Buffer.from(bytes.slice(4)).toString("utf8");
}
