import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CredentialDocument } from "@millrace/contract/documents/credential";
import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { parseSource } from "../../domain/documents/parse-source.ts";
import { drawFlow } from "../../domain/flow/draw-flow.ts";

/** A flow to begin with. */
export interface Template {
  /** The name of its file. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The flow itself comes first, then those that it runs. */
  readonly flows: readonly FlowDocument[];
  /** As the file has it. */
  readonly yaml: string;
  readonly test: string;
  readonly tests: readonly FlowTestDocument[];
  /** SVG. */
  readonly picture: string;
  /** Credentials that its nodes name. */
  readonly credentials: readonly CredentialDocument[];
}

const CREDENTIALS = "credentials.yaml";

export async function readTemplates(directory: string): Promise<Template[]> {
  const files = await readdir(directory);
  const ids = files
    .flatMap((file) => /^([a-z0-9-]+)\.yaml$/.exec(file)?.[1] ?? [])
    .filter((id) => id !== "credentials");
  return Promise.all(ids.sort().map((id) => readTemplate(directory, id)));
}

async function readTemplate(directory: string, id: string): Promise<Template> {
  const [yaml, test, shared] = await Promise.all(
    [`${id}.yaml`, `${id}.test.yaml`, CREDENTIALS].map((file) => readFile(join(directory, file), "utf8")),
  );
  const documents = parseSource({ file: `${id}.yaml`, text: yaml! }).documents.map(
    ({ document }) => document,
  );
  const flows = documents.filter((document) => document.kind === "Flow");
  const [main] = flows;
  if (main === undefined) throw new Error(`The template ${id} holds no flow.`);
  const used = new Set(flows.flatMap(({ graph }) => graph.nodes.map(({ data }) => data?.credential)));
  const credentials = parseSource({ file: CREDENTIALS, text: shared! })
    .documents.map(({ document }) => document)
    .filter((document) => document.kind === "Credential")
    .filter((credential) => used.has(credential.id));
  return {
    id,
    name: main.name,
    description: descriptionOf(yaml!),
    flows,
    yaml: yaml!,
    test: test!,
    tests: parseSource({ file: `${id}.test.yaml`, text: test! }).tests.map(({ document }) => document),
    picture: drawFlow(main.graph),
    credentials,
  };
}

/** The comment at the top. */
function descriptionOf(yaml: string): string {
  const lines = yaml.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#"));
  return lines
    .slice(0, end)
    .filter((line) => !line.includes("$schema"))
    .map((line) => line.replace(/^# ?/, ""))
    .join(" ")
    .trim();
}
