import type { WorkspaceDocument } from "@millrace/contract/documents/document";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { checkDocument } from "./check-document.ts";
import { type Fault, pathText, type Problem } from "./fault.ts";
import { readValues } from "./read-values.ts";

export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

export interface PlacedDocument<D extends WorkspaceDocument | FlowTestDocument = WorkspaceDocument> {
  readonly document: D;
  readonly file: string;
  /** Where it begins. */
  readonly line: number;
  /** Names the file, line and column for something found out later. */
  readonly fault: (problem: Problem) => Fault | Promise<Fault>;
}

const MAX_FAULTS_A_DOCUMENT = 50;

export interface ParsedSource {
  readonly documents: PlacedDocument[];
  /** Tests of flows: a service keeps them with their flow. */
  readonly tests: PlacedDocument<FlowTestDocument>[];
  readonly faults: Fault[];
}

/** Every document of one file that can be read, and every fault of those that cannot. */
export function parseSource({ file, text }: SourceFile): ParsedSource {
  const { values, faults: syntaxFaults } = readValues(text);
  const documents: PlacedDocument[] = [];
  const tests: PlacedDocument<FlowTestDocument>[] = [];
  const faults: Fault[] = syntaxFaults.map(({ line, column, message }) => ({
    file,
    line,
    column,
    path: "",
    message,
  }));
  for (const { value, position } of values) {
    const fault = ({ path, message }: Problem): Fault => ({
      file,
      ...position(path),
      path: pathText(path),
      message,
    });
    const { document, problems } = checkDocument(value);
    const placed = problems.slice(0, MAX_FAULTS_A_DOCUMENT).map(fault);
    faults.push(...placed.sort((a, b) => a.line - b.line || a.column - b.column));
    if (!document || problems.length > 0) continue;
    const { line } = position([]);
    if (document.kind === "FlowTest") tests.push({ document, file, line, fault });
    else documents.push({ document, file, line, fault });
  }
  return { documents, tests, faults };
}
