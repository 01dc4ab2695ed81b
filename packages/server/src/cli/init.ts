import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nearestName } from "@millrace/contract/documents/nearest-name";
import type { Command } from "commander";
import { writeYaml } from "../domain/documents/write-yaml.ts";
import { finishSliced } from "../domain/sliced.ts";
import { readTemplates, type Template } from "../operations/templates/read-templates.ts";
import { templatesDirectory } from "../package-files.ts";
import { addCommand, type CliDependencies, UsageError } from "./cli.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

interface InitFlags {
  readonly template?: string;
  readonly org?: string;
  readonly json?: boolean;
}

const ORGANIZATION = "org_demo";

export function registerInit(program: Command, dependencies: CliDependencies): void {
  addCommand(
    program,
    "init [directory]",
    "begin with a flow from the templates: writes the flow, its tests and the credentials it needs",
    `init                                       # lists the templates
  $ millrace init flows --template expense-approval
  $ millrace init flows --template quota --org org_acme`,
  )
    .option("--template <name>", "which one; without it they are listed")
    .option("--org <id>", `the organization it is for (default: ${ORGANIZATION})`)
    .action((directory: string | undefined, flags: InitFlags) => init(dependencies, directory, flags));
}

async function init(
  { stdout }: CliDependencies,
  directory: string | undefined,
  { template: name, org, json }: InitFlags,
): Promise<void> {
  const templates = await readTemplates(templatesDirectory);
  if (name === undefined) {
    if (directory !== undefined)
      throw new UsageError("Say which one with --template; `millrace init` lists them.");
    const rows = templates.map(({ id, description }) => ({ template: id, description }));
    return stdout(json ? listJson(rows) : table(rows));
  }
  const template = templates.find(({ id }) => id === name);
  if (!template) {
    const nearest = nearestName(
      name,
      templates.map(({ id }) => id),
    );
    throw new UsageError(
      `There is no template "${name}"; ${nearest ? `did you mean "${nearest}"?` : "millrace init lists them."}`,
    );
  }
  const written = await writeTemplate(template, directory ?? ".", org ?? ORGANIZATION);
  if (json) return stdout(JSON.stringify({ template: name, files: written }));
  for (const file of written) stdout(`wrote ${file}`);
  stdout(`Try it with: millrace flows test ${directory ?? "."}`);
}

/** Nothing that is there is written over. */
async function writeTemplate(
  template: Template,
  directory: string,
  organizationId: string,
): Promise<string[]> {
  const { id, yaml, test, credentials } = template;
  const own = (text: string) =>
    text.replaceAll(`organizationId: ${ORGANIZATION}`, `organizationId: ${organizationId}`);
  const files = [
    [`${id}.yaml`, own(withoutSchema(yaml))],
    [`${id}.test.yaml`, withoutSchema(test)],
    ...(credentials.length > 0
      ? [
          [
            `${id}.credentials.yaml`,
            own(credentials.map((one) => finishSliced(writeYaml(one))).join("---\n")),
          ],
        ]
      : []),
  ] as const;
  await mkdir(directory, { recursive: true });
  const written: string[] = [];
  for (const [name, text] of files) {
    const file = join(directory, name!);
    await writeFile(file, text!, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST"
        ? new Error(`${file} is there already; nothing was written over.`)
        : error;
    });
    written.push(file);
  }
  return written;
}

/** Its address leads to the checkout. */
function withoutSchema(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n(#\n)?/, "");
}
