import { readFile } from "node:fs/promises";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { DocumentFaults, type Fault } from "../../domain/documents/fault.ts";
import { parseSource, type PlacedDocument, type SourceFile } from "../../domain/documents/parse-source.ts";
import { checkTogether } from "../../domain/documents/check-together.ts";
import { findFiles, type FoundFile } from "./find-files.ts";
import { Findings } from "./findings.ts";

const MAX_FILE_BYTES = 10_000_000;
const MAX_DOCUMENTS = 10_000;

/** Every document of some files that can be read, and every fault of the others. */
export interface ReadDocuments {
  readonly documents: readonly PlacedDocument[];
  readonly tests: readonly PlacedDocument<FlowTestDocument>[];
  readonly faults: readonly Fault[];
}

/** Every document of these files and directories, or every fault of them. */
export async function readDocuments(paths: readonly string[]): Promise<readonly PlacedDocument[]> {
  const { documents, faults } = await readPaths(paths);
  const findings = new Findings(faults);
  checkTogether(documents, (placed, problem) => findings.add(placed, problem));
  await findings.throwAny();
  return documents;
}

export async function readPaths(paths: readonly string[]): Promise<ReadDocuments> {
  const documents: PlacedDocument[] = [];
  const tests: PlacedDocument<FlowTestDocument>[] = [];
  const faults: Fault[] = [];
  for await (const read of sourcesOf(paths)) {
    if ("fault" in read) {
      faults.push(read.fault);
      continue;
    }
    const parsed = parseSource(read);
    documents.push(...parsed.documents);
    tests.push(...parsed.tests);
    faults.push(...parsed.faults);
    if (documents.length + tests.length > MAX_DOCUMENTS) {
      throw new DocumentFaults([
        wholeFile(read.file, `more than ${MAX_DOCUMENTS} documents; apply them in parts`),
      ]);
    }
  }
  if (documents.length + tests.length === 0 && faults.length === 0) faults.push(nothingIn(paths));
  return { documents, tests, faults };
}

/** The files as they stand, for a service that reads them. */
export async function readSources(
  paths: readonly string[],
): Promise<{ sources: readonly SourceFile[]; faults: readonly Fault[] }> {
  const sources: SourceFile[] = [];
  const faults: Fault[] = [];
  for await (const read of sourcesOf(paths)) {
    if ("fault" in read) faults.push(read.fault);
    else sources.push(read);
  }
  if (sources.length === 0 && faults.length === 0) faults.push(nothingIn(paths));
  return { sources, faults };
}

async function* sourcesOf(paths: readonly string[]): AsyncGenerator<SourceFile | { readonly fault: Fault }> {
  for (const path of paths) {
    const files = await findFiles(path).catch((error: NodeJS.ErrnoException) => unreadable(path, error));
    if (Array.isArray(files)) for (const found of files) yield await readOne(found);
    else yield { fault: files };
  }
}

async function readOne({ file, bytes }: FoundFile): Promise<SourceFile | { readonly fault: Fault }> {
  if (bytes > MAX_FILE_BYTES) return { fault: wholeFile(file, "larger than 10 MB; split it") };
  try {
    const content = await readFile(file);
    return { file, text: new TextDecoder("utf-8", { fatal: true }).decode(content) };
  } catch (error) {
    if (error instanceof TypeError) return { fault: wholeFile(file, "not UTF-8 text") };
    return { fault: unreadable(file, error as NodeJS.ErrnoException) };
  }
}

function nothingIn(paths: readonly string[]): Fault {
  return wholeFile(paths.join(", "), "no documents in .yaml, .yml or .json files");
}

function unreadable(file: string, error: NodeJS.ErrnoException): Fault {
  return wholeFile(file, error.code === "ENOENT" ? "no such file or directory" : error.message);
}

function wholeFile(file: string, message: string): Fault {
  return { file, line: 1, column: 1, path: "", message };
}
