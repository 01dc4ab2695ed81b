import { readFile } from "node:fs/promises";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { DocumentFaults, type Fault } from "../../domain/documents/fault.ts";
import { parseSource, type PlacedDocument } from "../../domain/documents/parse-source.ts";
import { checkTogether } from "../../domain/documents/check-together.ts";
import { findFiles, type FoundFile } from "./find-files.ts";
import { Findings } from "./findings.ts";

const MAX_FILE_BYTES = 10_000_000;
const MAX_DOCUMENTS = 10_000;

/** Every document of some files that can be read, and every fault of the others. */
export interface ReadDocuments {
  readonly documents: readonly PlacedDocument[];
  readonly faults: readonly Fault[];
}

export interface ReadFiles extends ReadDocuments {
  readonly tests: readonly PlacedDocument<FlowTestDocument>[];
}

/** Every document of these files and directories, or every fault of them. */
export async function readDocuments(paths: readonly string[]): Promise<readonly PlacedDocument[]> {
  const { documents, faults } = await readPaths(paths);
  const findings = new Findings(faults);
  checkTogether(documents, (placed, problem) => findings.add(placed, problem));
  await findings.throwAny();
  return documents;
}

export async function readPaths(paths: readonly string[]): Promise<ReadFiles> {
  const documents: PlacedDocument[] = [];
  const tests: PlacedDocument<FlowTestDocument>[] = [];
  const faults: Fault[] = [];
  for (const path of paths) {
    const files = await findFiles(path).catch((error: NodeJS.ErrnoException) => unreadable(path, error));
    if (!Array.isArray(files)) {
      faults.push(files);
      continue;
    }
    for (const found of files) {
      const read = await readOne(found);
      documents.push(...read.documents);
      tests.push(...read.tests);
      faults.push(...read.faults);
      if (documents.length + tests.length > MAX_DOCUMENTS) {
        throw new DocumentFaults([
          wholeFile(found.file, `more than ${MAX_DOCUMENTS} documents; apply them in parts`),
        ]);
      }
    }
  }
  if (documents.length + tests.length === 0 && faults.length === 0)
    faults.push(wholeFile(paths.join(", "), "no documents in .yaml, .yml or .json files"));
  return { documents, tests, faults };
}

async function readOne({ file, bytes }: FoundFile): Promise<ReadFiles> {
  const refuse = (fault: Fault) => ({ documents: [], tests: [], faults: [fault] });
  if (bytes > MAX_FILE_BYTES) return refuse(wholeFile(file, "larger than 10 MB; split it"));
  try {
    const content = await readFile(file);
    return parseSource({ file, text: new TextDecoder("utf-8", { fatal: true }).decode(content) });
  } catch (error) {
    if (error instanceof TypeError) return refuse(wholeFile(file, "not UTF-8 text"));
    return refuse(unreadable(file, error as NodeJS.ErrnoException));
  }
}

function unreadable(file: string, error: NodeJS.ErrnoException): Fault {
  return wholeFile(file, error.code === "ENOENT" ? "no such file or directory" : error.message);
}

function wholeFile(file: string, message: string): Fault {
  return { file, line: 1, column: 1, path: "", message };
}
