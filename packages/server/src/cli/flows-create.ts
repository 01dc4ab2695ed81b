import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";

interface CreateFlags extends ServiceFlags {
  readonly template?: string;
  readonly copyOf?: string;
  readonly id?: string;
  readonly org?: string;
}

export function registerFlowsCreate(flows: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    flows,
    "create [name]",
    "make a flow that is nothing but a draft, to be written in the console: from a template, as a copy, or from nothing",
    `flows create "Order intake"
  $ millrace flows create --template expense-approval
  $ millrace flows create "Hello, tried out" --copy-of flow_hello`,
  )
    .option("--template <name>", "begin with this one; `millrace init` lists them")
    .option("--copy-of <flowId>", "begin with the draft and the tests of this flow")
    .option("--id <flowId>", "its id; made from the name unless stated")
    .option("--org <id>", "the organization it is for")
    .action((name: string | undefined, flags: CreateFlags) => create(dependencies, name, flags));
  addServiceCommand(
    flows,
    "detach <flowId>",
    "let the console keep the document of a flow, until the next apply of it",
    "flows detach flow_hello",
  ).action((flowId: string, flags: ServiceFlags) => detach(dependencies, flowId, flags));
}

async function create(
  dependencies: CliDependencies,
  name: string | undefined,
  flags: CreateFlags,
): Promise<void> {
  const { template, copyOf, id, org: organizationId } = flags;
  const created = await withService(dependencies, flags, ({ deploys }) =>
    deploys.create({ name, template, copyOf, id, organizationId }),
  );
  const { flowId, flows } = created;
  const { stdout } = dependencies;
  if (flags.json) return stdout(JSON.stringify(created));
  stdout(`${flowId} is a draft; nothing of it is in force. Edit it at /console/flows/${flowId}/edit.`);
  for (const other of flows.slice(1)) stdout(`${other} came with it.`);
}

async function detach(dependencies: CliDependencies, flowId: string, flags: ServiceFlags): Promise<void> {
  const flow = await withService(dependencies, flags, ({ deploys }) => deploys.detach(flowId));
  const text = `${flowId} is kept by the console now; the next apply of it takes it back.`;
  dependencies.stdout(flags.json ? JSON.stringify(flow) : text);
}
