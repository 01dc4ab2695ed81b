import type { Flow, MillraceClient } from "@millrace/client";
import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { typeOfSchema } from "./schema-type.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { plain } from "./texts.ts";

interface TypesFlags extends ServiceFlags {
  readonly org?: string;
}

export function registerTypes(program: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    program,
    "types",
    "print what each flow takes as TypeScript declarations, by which @millrace/client checks triggers",
    "types > flows.d.ts",
  )
    .option("--org <id>", "only flows of this organization")
    .action((flags: TypesFlags) => types(dependencies, flags));
}

async function types(dependencies: CliDependencies, flags: TypesFlags): Promise<void> {
  const flows = await withService(dependencies, flags, (client) => allFlows(client, flags.org));
  const inputs = flows.map(({ id, input }) => ({ id, input: input ?? null }));
  dependencies.stdout(flags.json ? JSON.stringify({ data: inputs }) : declarationsOf(flows));
}

/** The list leaves `input` out, so each is asked for by itself. */
async function allFlows({ flows }: MillraceClient, organizationId: string | undefined): Promise<Flow[]> {
  const found: Flow[] = [];
  for await (const { id } of flows.list({ organizationId, pageSize: 100 })) found.push(await flows.get(id));
  return found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

function declarationsOf(flows: readonly Flow[]): string {
  const members = flows.map(({ id, name, input }) => {
    const type = input === undefined ? "unknown" : typeOfSchema(input);
    return `/** ${plain(name).replaceAll("\n", " ").replaceAll("*/", "* /")} */\n${JSON.stringify(id)}: ${type};`;
  });
  return [
    "// Written by `millrace types`: what each flow takes as trigger.body.",
    `interface MillraceFlows {\n${members.join("\n").replaceAll(/^/gm, "  ")}\n}`,
  ].join("\n");
}
