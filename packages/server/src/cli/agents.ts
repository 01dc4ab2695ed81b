import type { Agent } from "@millrace/client";
import type { Command } from "commander";
import { type AgentSummary, listEveryAgent } from "../storage/catalogue/list-every-agent.ts";
import { registerAgentsChat } from "./agents-chat.ts";
import { registerAgentSessions } from "./agents-sessions.ts";
import { allPages } from "./all-pages.ts";
import type { CliDependencies } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { listJson } from "./list-json.ts";
import type { ServiceFlags } from "./service-client.ts";
import { table } from "./table.ts";

interface Flags extends ServiceFlags {
  readonly org?: string;
}

export function registerAgents(program: Command, dependencies: CliDependencies): void {
  const agents = program.command("agents").description("list agents and chat with them");
  addManageCommand(agents, "list", "list agents", "agents list --org org_demo")
    .option("--org <id>", "only this organization")
    .action((flags: Flags) => list(dependencies, flags));
  registerAgentsChat(agents, dependencies);
  registerAgentSessions(agents, dependencies);
}

async function list(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, json } = flags;
  const agents = await eitherWay<Agent[], AgentSummary[]>(dependencies, flags, {
    service: (client) => allPages((page) => client.agents.list({ organizationId: org, ...page })),
    database: () => withDatabase("agents list", ({ pool }) => listEveryAgent(pool, org)),
  });
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
