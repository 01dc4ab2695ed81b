/** Why a document cannot be used, and where it says so. Lines and columns count from 1. */
export interface Fault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Within the document, for example `graph.nodes[3].id`; empty for the document itself. */
  readonly path: string;
  readonly message: string;
}

/** A fault before its place in a file is known. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Everything that is wrong with a set of documents, at once. Nothing was changed. */
export class DocumentFaults extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(`${faults.length === 1 ? "One fault" : `${faults.length} faults`}; nothing was changed.`);
    this.faults = faults;
  }
}

export function faultText({ file, line, column, path, message }: Fault): string {
  return `${file}:${line}:${column} ${path === "" ? "" : `${path}: `}${message}`;
}

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => text + stepText(step, text), "");
}

/** Longer names stand there in part: a path is read by people, and there may be thousands of them. */
const MAX_NAME_LENGTH = 200;

/** One step of a path that begins with `before`. */
export function stepText(step: PropertyKey, before: string): string {
  if (typeof step === "number") return `[${step}]`;
  const whole = String(step);
  const name = whole.length > MAX_NAME_LENGTH ? `${whole.slice(0, MAX_NAME_LENGTH)}…` : whole;
  if (!/^[\w$-]+$/.test(name)) return `[${JSON.stringify(name)}]`;
  return before === "" ? name : `.${name}`;
}
