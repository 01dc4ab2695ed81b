import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";

export function registerSessions(program: Command, dependencies: CliDependencies): void {
  const sessions = program.command("sessions").description("list and end sessions of the web console");
  addServiceCommand(
    sessions,
    "list",
    "list who is signed in: yourself or, for owners, everybody of an organization",
    "sessions list --org org_demo",
  )
    .option("--org <id>", "everybody who reaches this organization")
    .action((flags: ServiceFlags & { org?: string }) => list(dependencies, flags));
  addServiceCommand(
    sessions,
    "end <sessionId>",
    "end a session; it is refused everywhere within seconds",
    "sessions end login_0Abc",
  ).action((id: string, flags: ServiceFlags) => end(dependencies, id, flags));
}

async function list(dependencies: CliDependencies, flags: ServiceFlags & { org?: string }): Promise<void> {
  const request = { organizationId: flags.org, pageSize: 100 };
  const page = await withService(dependencies, flags, ({ manage }) => manage.sessions(request));
  if (flags.json) return dependencies.stdout(JSON.stringify(page));
  const rows = page.data.map(({ id, userId, method, address, lastSeenAt, expiresAt }) => ({
    id,
    user: userId,
    method,
    from: address,
    "last seen": new Date(lastSeenAt),
    ends: new Date(expiresAt),
  }));
  dependencies.stdout(table(rows));
}

async function end(dependencies: CliDependencies, id: string, flags: ServiceFlags): Promise<void> {
  const ended = await withService(dependencies, flags, ({ manage }) => manage.endSession(id));
  dependencies.stdout(flags.json ? JSON.stringify(ended) : `${id} is ended.`);
}
