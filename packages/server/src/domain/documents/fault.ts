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
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const name = String(step);
    if (!/^[\w$-]+$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === "" ? name : `${text}.${name}`;
  }, "");
}
