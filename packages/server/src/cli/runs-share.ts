import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { runIdOf } from "./run-id.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";

interface ShareFlags extends ServiceFlags {
  readonly reveal?: string[];
  readonly expires?: string;
}

export function registerRunsShare(runs: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    runs,
    "share <runId>",
    "make a link that shows a run to whoever has it: structure, times, statuses and the values you choose",
    "runs share run_0Abc --reveal fetch --expires 12h",
  )
    .option("--reveal <nodeKey>", "show input, output and error of this node; can be repeated", collect)
    .option("--expires <time>", "how long the link works: 30m, 12h, 7d (default: 7d)")
    .action((id: string, flags: ShareFlags) => share(dependencies, runIdOf(id), flags));
  addServiceCommand(
    runs,
    "unshare <runId> <shareId>",
    "end a link that shows a run",
    "runs unshare run_0Abc share_0Def",
  ).action((id: string, shareId: string, flags: ServiceFlags) =>
    unshare(dependencies, runIdOf(id), shareId, flags),
  );
}

async function share(dependencies: CliDependencies, runId: string, flags: ShareFlags): Promise<void> {
  const made = await withService(dependencies, flags, ({ manage }) =>
    manage.runs.share(runId, { reveal: flags.reveal, expiresIn: flags.expires }),
  );
  const text = `${made.url}\n  until ${made.expiresAt}; end it with: millrace runs unshare ${runId} ${made.id}`;
  dependencies.stdout(flags.json ? JSON.stringify(made) : text);
}

async function unshare(
  dependencies: CliDependencies,
  runId: string,
  shareId: string,
  flags: ServiceFlags,
): Promise<void> {
  const revoked = await withService(dependencies, flags, ({ manage }) => manage.runs.unshare(runId, shareId));
  dependencies.stdout(flags.json ? JSON.stringify(revoked) : `${revoked.id} shows nothing any more.`);
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
