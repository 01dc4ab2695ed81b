import type { Command } from "commander";
import { grantCredits, showCredits } from "../operations/credits/manage-credits.ts";
import type { Credits } from "../storage/credits/read-credits.ts";
import { cliActor } from "./cli-actor.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import type { ServiceFlags } from "./service-client.ts";
import { type CliDependencies, ids, UsageError, wholeNumber } from "./cli.ts";

interface Flags extends ServiceFlags {
  readonly org: string;
}

export function registerCredits(program: Command, dependencies: CliDependencies): void {
  const credits = program.command("credits").description("show and change the credits of an organization");
  addManageCommand(credits, "show", "show the current balance", "credits show --org org_demo")
    .requiredOption("--org <id>", "the organization")
    .action((flags: Flags) => show(dependencies, flags));
  addManageCommand(
    credits,
    "grant",
    "add credits; a negative amount removes them",
    "credits grant --org org_demo --amount 1000",
  )
    .requiredOption("--org <id>", "the organization")
    .requiredOption("--amount <n>", "how many", wholeNumber)
    .option("--note <text>", "reason, kept in the ledger")
    .action((flags: Flags & { amount: number; note?: string }) => grant(dependencies, flags));
}

async function show(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const credits = await eitherWay(dependencies, flags, {
    service: ({ manage }) => manage.credits({ organizationId: flags.org }),
    database: () => withDatabase("credits show", ({ pool }) => showCredits(pool, flags.org)),
  });
  stdout(text(credits, flags.json));
}

async function grant(
  dependencies: CliDependencies,
  flags: Flags & { amount: number; note?: string },
): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, amount, note, json } = flags;
  if (amount === 0) throw new UsageError("The amount must not be 0.");
  const request = { organizationId: org, amount, note };
  const credits = await eitherWay(dependencies, flags, {
    service: ({ manage }) => manage.grantCredits(request),
    database: () =>
      withDatabase("credits grant", ({ pool }) => grantCredits({ pool, ids }, cliActor(), request)),
  });
  stdout(text(credits, json));
}

function text(credits: Credits, json: boolean | undefined): string {
  if (json) return JSON.stringify(credits);
  return credits.limited
    ? `${credits.organizationId} has ${credits.balance} credits left.`
    : `${credits.organizationId} has unlimited credits.`;
}
