import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { listJson } from "./list-json.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";

export function registerProcesses(program: Command, dependencies: CliDependencies): void {
  const processes = program.command("processes").description("list the processes of the service");
  addServiceCommand(processes, "list", "list processes (needs an owner's key)", "processes list").action(
    (flags: ServiceFlags) => list(dependencies, flags),
  );
}

async function list(dependencies: CliDependencies, flags: ServiceFlags): Promise<void> {
  const { stdout } = dependencies;
  const found = await withService(dependencies, flags, ({ manage }) => manage.service.processes());
  if (flags.json) return stdout(listJson(found));
  const rows = found.map(({ id, role, host, pid, version, startedAt, alive, runs }) => ({
    id,
    role,
    host,
    pid,
    version,
    started: new Date(startedAt),
    alive,
    runs,
  }));
  stdout(table(rows));
}
