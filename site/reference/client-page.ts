import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderMarkdown } from "../markdown.ts";
import type { Page } from "../page.ts";
import { type Declared, exportsOf, type Node } from "./client-exports.ts";

/** What the client makes for itself: nobody calls it. */
const MADE_INSIDE = /transport/i;

/** The client's classes with their methods, and every type they speak of: all that can be imported from it. */
export function clientPage(root: string): Page {
  const directory = join(root, "packages/client");
  const { exports } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const declared = new Map<string, Declared>();
  // The whole client, which comes first, says more than a part of it.
  for (const file of Object.values(exports))
    for (const [name, one] of exportsOf(join(directory, file)))
      if (!declared.has(name)) declared.set(name, one);
  const all = [...declared].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const isClass = ([, { node }]: [string, Declared]) => node.declaration!.type === "ClassDeclaration";
  const isFirst = ([name]: [string, Declared]) => Number(name === "MillraceClient");
  const text = [
    "# Client reference",
    "Generated from the sources of `@millrace/client`: every class with its methods, then every type and value that can be imported.",
    ...all
      .filter(isClass)
      .toSorted((one, other) => isFirst(other) - isFirst(one))
      .map(([name, one]) => `## ${name}\n\n${describeClass(name, one)}`),
    "## Types and values",
    ...all.filter((one) => !isClass(one)).map(([name, one]) => `### ${name}\n\n${describe(one)}`),
  ].join("\n\n");
  return { ...renderMarkdown(text, (target) => target), path: "client-reference.html", group: "Programs" };
}

function describe({ source, node }: Declared): string {
  const { declarations } = node.declaration!;
  const text = source.slice(node.start, node.end);
  // Of a value its type is what matters.
  const shown = declarations ? text.split(/\s=\s*(?:\{|\[|new |async |\()/)[0]! : text;
  return `${commentBefore(source, node.start)}\n\n${code(shown)}`;
}

function describeClass(name: string, declared: Declared): string {
  const { source, node, base } = declared;
  const texts = [...methodsOf(declared), ...(base ? methodsOf(base) : [])].map(
    ([method, text]) => `### ${name}.${method}\n\n${text}`,
  );
  const own = commentBefore(source, node.start);
  return [own || (base ? commentBefore(base.source, base.node.start) : ""), ...new Set(texts)].join("\n\n");
}

/** Each by its name, with every way to call it. */
function methodsOf({ source, node, base }: Declared): [string, string][] {
  const members = node.declaration!.body!.body.filter(
    ({ key, accessibility, kind, start, end }) =>
      key !== undefined &&
      key.type !== "PrivateIdentifier" &&
      !["private", "protected"].includes(accessibility ?? "") &&
      kind !== "set" &&
      !(kind === "constructor" && (base || MADE_INSIDE.test(source.slice(start, end).split("{")[0]!))),
  );
  const byName = new Map<string, Node[]>();
  for (const member of members) {
    const name = member.kind === "constructor" ? "constructor" : member.key!.name!;
    byName.set(name, [...(byName.get(name) ?? []), member]);
  }
  return [...byName].map(([name, all]) => {
    // Where a method can be called in several ways, the last one is how it is written inside.
    const told = all.length > 1 ? all.slice(0, -1) : all;
    const signatures = told.map((member) => signatureOf(source, member)).join("\n");
    const words = told.map((member) => commentBefore(source, member.start)).filter(Boolean);
    return [name, `${code(signatures)}\n\n${words.join("\n\n")}`];
  });
}

function signatureOf(source: string, member: Node): string {
  const end = member.value?.body ? member.value.body.start : member.end;
  return source.slice(member.start, end).trim().replace(/;$/, "");
}

/** The words of the comment that stands right before, with its example as code. */
function commentBefore(source: string, start: number): string {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, start))?.[1];
  if (comment === undefined) return "";
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const [words = "", ...examples] = lines.join("\n").split(/^\s*@example\s*/m);
  const told = words.replaceAll(/^\s*@\w+.*$/gm, "").trim();
  return [told, ...examples.map((example) => code(example.trim()))].filter(Boolean).join("\n\n");
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``;
}
