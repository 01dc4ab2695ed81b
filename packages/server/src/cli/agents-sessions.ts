import type { Command } from "commander";
import { allPages } from "./all-pages.ts";
import type { CliDependencies } from "./cli.ts";
import { listJson } from "./list-json.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";
import { oneLine, plain } from "./texts.ts";

export function registerAgentSessions(agents: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    agents,
    "sessions <agentId> [sessionId]",
    "list the chats of an agent, newest first, or show one of them turn by turn",
    "agents sessions agent_helper",
  ).action((agentId: string, sessionId: string | undefined, flags: ServiceFlags) =>
    sessionId === undefined
      ? list(dependencies, agentId, flags)
      : show(dependencies, agentId, sessionId, flags),
  );
}

async function list(dependencies: CliDependencies, agentId: string, flags: ServiceFlags): Promise<void> {
  const { stdout } = dependencies;
  const sessions = await withService(dependencies, flags, ({ manage }) =>
    allPages((page) => manage.agents.sessions(agentId, page)),
  );
  if (flags.json) return stdout(listJson(sessions));
  const rows = sessions.map(({ sessionId, externalId, endUserId, turns, lastActivityAt }) => ({
    session: sessionId,
    "external id": oneLine(externalId, 40),
    user: endUserId,
    turns,
    "last activity": new Date(lastActivityAt),
  }));
  stdout(table(rows));
}

async function show(
  dependencies: CliDependencies,
  agentId: string,
  sessionId: string,
  flags: ServiceFlags,
): Promise<void> {
  const { stdout } = dependencies;
  const turns = await withService(dependencies, flags, ({ manage }) =>
    allPages((page) => manage.agents.transcript(agentId, sessionId, page)),
  );
  if (flags.json) return stdout(listJson(turns));
  for (const { number, status, message = "", reply, error } of turns) {
    stdout(`${number} > ${plain(message)}`);
    stdout(plain(reply ?? (error === undefined ? `(${status})` : `(${status}: ${error})`)));
  }
}
