import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { DocumentFaults } from "../../domain/documents/fault.ts";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import { DOCUMENT_FILE, findFiles } from "../apply-documents/find-files.ts";
import { readPaths } from "../apply-documents/read-documents.ts";

const TEST_FILE = /\.test\.(yaml|yml|json)$/i;

export interface FoundTests {
  readonly tests: readonly PlacedDocument<FlowTestDocument>[];
  readonly flows: ReadonlyMap<string, FlowDocument>;
}

/**
 * The tests of these files, and the flows they are about. A flow that is not in the files is looked for beside its test.
 * Without paths: the files called `*.test.yaml` below this directory.
 */
export async function findTests(paths: readonly string[]): Promise<FoundTests> {
  const read = await readPaths(paths.length > 0 ? paths : await testFiles("."));
  if (read.faults.length > 0) throw new DocumentFaults(read.faults);
  if (read.tests.length === 0)
    throw new Error(
      "There is no document of the kind FlowTest in these files; docs/testing-flows.md shows one.",
    );
  const flows = new Map<string, FlowDocument>();
  const add = ({ document }: PlacedDocument) => {
    if (document.kind === "Flow" && !flows.has(document.id)) flows.set(document.id, document);
  };
  read.documents.forEach(add);
  const homeless = read.tests.filter(({ document }) => !flows.has(document.flowId));
  for (const directory of new Set(homeless.map(({ file }) => dirname(file)))) {
    const entries = await readdir(directory);
    const files = entries.filter((name) => DOCUMENT_FILE.test(name) && !TEST_FILE.test(name));
    // A fault in one of them is no fault of the test.
    if (files.length > 0)
      (await readPaths(files.map((name) => join(directory, name)))).documents.forEach(add);
  }
  return { tests: read.tests, flows };
}

async function testFiles(directory: string): Promise<string[]> {
  const files = (await findFiles(directory)).map(({ file }) => file).filter((file) => TEST_FILE.test(file));
  if (files.length === 0)
    throw new Error("There is no file called *.test.yaml below this directory; name the files.");
  return files;
}
