import type { Command } from "commander";
import { type CliDependencies, pointInTime, wholeNumber } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";

interface Flags extends ServiceFlags {
  readonly org?: string;
  readonly action?: string;
  readonly target?: string;
  readonly user?: string;
  readonly since?: Date;
  readonly size?: number;
  readonly after?: string;
}

export function registerAudit(program: Command, dependencies: CliDependencies): void {
  const audit = program.command("audit").description("see who changed what");
  addServiceCommand(audit, "list", "list changes, newest first", "audit list --action key --since 7d")
    .option("--org <id>", "the organization, where the key reaches several")
    .option("--action <name>", "what was done: key.create, or key for all that was done to keys")
    .option("--target <id>", "what was changed")
    .option("--user <id>", "who did it")
    .option("--since <time>", "from then on: 2h, 7d, or 2026-01-31T12:00:00Z", pointInTime)
    .option("--size <number>", "max results, up to 100", wholeNumber)
    .option("--after <cursor>", "continue after this cursor")
    .action((flags: Flags) => list(dependencies, flags));
}

async function list(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { org, action, target, user, since, size, after, json } = flags;
  const request = { organizationId: org, action, target, userId: user, from: since, pageSize: size, after };
  const page = await withService(dependencies, flags, ({ manage }) => manage.audit(request));
  if (json) return dependencies.stdout(JSON.stringify(page));
  const rows = page.data.map(({ createdAt, action: done, target: what, by, before, after: now }) => ({
    at: new Date(createdAt),
    who: by.userId ?? by.viaId,
    via: by.via,
    from: by.address,
    action: done,
    target: what,
    before: before && JSON.stringify(before).slice(0, 60),
    after: now && JSON.stringify(now).slice(0, 60),
  }));
  dependencies.stdout(table(rows));
  if (page.pagination.next !== undefined) dependencies.stdout(`More with: --after ${page.pagination.next}`);
}
