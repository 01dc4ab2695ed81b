import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** What of a syntax tree is read here. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly declaration?: Node | null;
  readonly declarations?: readonly { readonly id: Name }[];
  readonly id?: Name | null;
  readonly superClass?: Name | null;
  readonly source?: { readonly value: string } | null;
  readonly specifiers?: readonly Specifier[];
  readonly body?: { readonly body: readonly Node[] } | null;
  readonly key?: { readonly type: string; readonly name?: string };
  readonly kind?: string;
  readonly accessibility?: string;
  readonly value?: { readonly body?: Node | null } | null;
}
interface Name {
  readonly name: string;
}
interface Specifier {
  readonly local: Name;
  readonly imported?: Name;
  readonly exported?: Name;
}

/** A declaration as it stands in its file, `export` included. */
export interface Declared {
  readonly name: string;
  readonly source: string;
  readonly node: Node;
  /** The class that it builds on, where that is the client's own. */
  readonly base?: Declared;
}

/** Everything that can be imported from a file, by its name: what it declares, and what it hands on. */
export function exportsOf(file: string): Map<string, Declared> {
  const source = readFileSync(file, "utf8");
  const { body } = parseAst(source, { lang: "ts" }) as unknown as { readonly body: readonly Node[] };
  const other = (node: Node) => exportsOf(join(dirname(file), node.source!.value));
  const handedOn = new Map<string, Declared>();
  const own = new Map<string, Declared>();
  for (const node of body) {
    if (node.type === "ExportAllDeclaration") for (const [name, one] of other(node)) handedOn.set(name, one);
    if (node.type !== "ExportNamedDeclaration") continue;
    if (node.source) {
      const known = other(node);
      for (const { local, exported } of node.specifiers ?? [])
        if (known.has(local.name)) own.set((exported ?? local).name, known.get(local.name)!);
    } else if (node.declaration) {
      const name = node.declaration.id?.name ?? node.declaration.declarations?.[0]?.id.name;
      const base = baseOf(node.declaration, body, other);
      if (name !== undefined) own.set(name, { name, source, node, ...(base && { base }) });
    }
  }
  return new Map([...handedOn, ...own]);
}

function baseOf(
  { superClass }: Node,
  body: readonly Node[],
  other: (node: Node) => ReadonlyMap<string, Declared>,
): Declared | undefined {
  for (const node of body) {
    const found =
      node.type === "ImportDeclaration" &&
      node.specifiers?.find(({ local }) => local.name === superClass?.name);
    if (found) return other(node).get((found.imported ?? found.local).name);
  }
  return undefined;
}
