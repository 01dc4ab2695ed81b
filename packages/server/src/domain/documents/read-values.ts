import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Scalar,
} from "yaml";

import { JsonFault, parseForeignJson } from "../json.ts";

interface Position {
  readonly line: number;
  readonly column: number;
}

/** One document of a file as plain data, and a way back from a path in it to the line that says it. */
export interface ReadValue {
  readonly value: unknown;
  readonly position: (path: readonly PropertyKey[]) => Position;
}

export interface SyntaxFault extends Position {
  readonly message: string;
}

const MAX_FAULTS_A_DOCUMENT = 3;

/** Reads YAML or JSON, several documents separated by `---`; empty documents are left out. */
export function readValues(text: string): { values: ReadValue[]; faults: SyntaxFault[] } {
  return readJson(text) ?? readYaml(text);
}

/**
 * Machines write large JSON, which the YAML reader takes a hundred times as long for; it is asked for
 * positions alone, and only when there is a fault to show.
 */
function readJson(text: string): { values: ReadValue[]; faults: SyntaxFault[] } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  let value: unknown;
  try {
    value = parseForeignJson(text);
  } catch (error) {
    if (error instanceof JsonFault)
      return { values: [], faults: [{ line: 1, column: 1, message: error.message }] };
    return undefined;
  }
  let yaml: ReadValue | undefined;
  const position = (path: readonly PropertyKey[]) => {
    yaml ??= readYaml(text).values[0];
    return yaml?.position(path) ?? { line: 1, column: 1 };
  };
  return { values: [{ value, position }], faults: [] };
}

/** The reader takes about a kilobyte for each value: more would take gigabytes, and minutes. */
const MAX_YAML_MARKS = 200_000;
const MARKS: ReadonlySet<number> = new Set(Array.from("\n,:-[{&*?!", (mark) => mark.charCodeAt(0)));

/** At least as many as it has values, about. */
function hasTooManyMarks(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (MARKS.has(text.charCodeAt(at))) count += 1;
  return count > MAX_YAML_MARKS;
}

function readYaml(text: string): { values: ReadValue[]; faults: SyntaxFault[] } {
  if (text.length > MAX_YAML_MARKS && hasTooManyMarks(text)) {
    const message = "is too much YAML for one file; split it, or write it as JSON";
    return { values: [], faults: [{ line: 1, column: 1, message }] };
  }
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const values: ReadValue[] = [];
  const faults: SyntaxFault[] = [];
  // Pretty errors would quote the source, which may hold a secret.
  const documents: Document.Parsed[] = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    // The library compares each key with all before it, which takes minutes for what a request may hold.
    uniqueKeys: false,
  });
  for (const document of documents) {
    // One mistake is often followed by many that only echo it.
    const problems = [...document.errors, ...document.warnings].slice(0, MAX_FAULTS_A_DOCUMENT);
    faults.push(
      ...problems.map(({ pos, code, message }) => ({ ...at(pos[0]), message: plain(code, message) })),
    );
    if (problems.length > 0 || document.contents === null) continue;
    const repeated = repeatedKeys(document.contents, MAX_FAULTS_A_DOCUMENT);
    faults.push(...repeated.map((offset) => ({ ...at(offset), message: "Map keys must be unique" })));
    if (repeated.length > 0) continue;
    try {
      const value: unknown = document.toJS({ maxAliasCount: 100 });
      if (value !== null) values.push({ value, position: (path) => at(offsetOf(document, path)) });
    } catch {
      faults.push({
        ...at(document.contents.range[0]),
        message: "repeats too much through its aliases (*name); write it out",
      });
    }
  }
  return { values, faults };
}

/** Offsets of keys that their map has already. */
function repeatedKeys(contents: unknown, max: number): number[] {
  const offsets: number[] = [];
  const nodes: unknown[] = [contents];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    if (isSeq(node)) for (const item of node.items) nodes.push(item);
    if (!isMap(node)) continue;
    const seen = new Set<unknown>();
    for (const { key, value } of node.items) {
      nodes.push(value);
      // Any other key is a fault that was told before.
      const { value: name, range } = key as Scalar;
      if (seen.has(name)) offsets.push(range![0]);
      seen.add(name);
    }
  }
  return offsets.toSorted((one, other) => one - other).slice(0, max);
}

function plain(code: string, message: string): string {
  if (code === "RESOURCE_EXHAUSTION" || /call stack/i.test(message)) return "is nested too deeply";
  if (code === "TAG_RESOLVE_FAILED") return "uses a tag (!name) that has no meaning here";
  return message;
}

/** As far down the path as the document goes: what is missing is shown at what should hold it. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = document.contents!.range[0];
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair || !isScalar(pair.key)) break;
      offset = pair.key.range![0];
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (!isNode(node)) break;
      offset = node.range![0];
    } else break;
  }
  return offset;
}
