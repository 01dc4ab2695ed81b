import type { Command } from "commander";
import { listEveryAgent } from "../storage/catalogue/list-every-agent.ts";
import { registerAgentsChat } from "./agents-chat.ts";
import { addCommand, type CliDependencies } from "./cli.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

export function registerAgents(program: Command, dependencies: CliDependencies): void {
  const agents = program.command("agents").description("list agents and chat with them");
  addCommand(agents, "list", "list agents", "agents list --org org_demo")
    .option("--org <id>", "only this organization")
    .action((flags: { org?: string; json?: boolean }) => list(dependencies, flags));
  registerAgentsChat(agents, dependencies);
}

async function list(
  { withDatabase, stdout }: CliDependencies,
  { org, json }: { org?: string; json?: boolean },
): Promise<void> {
  const agents = await withDatabase("agents list", ({ pool }) => listEveryAgent(pool, org));
  if (json) return stdout(listJson(agents));
  const rows = agents.map(({ id, organizationId, name, active, modelIds }) => ({
    id,
    organization: organizationId,
    name,
    active,
    models: modelIds,
  }));
  stdout(table(rows));
}
