import type { Command } from "commander";
import { grantCredits, showCredits } from "../operations/credits/manage-credits.ts";
import type { Credits } from "../storage/credits/read-credits.ts";
import { addCommand, type CliDependencies, ids, UsageError, wholeNumber } from "./cli.ts";

interface Flags {
  readonly org: string;
  readonly json?: boolean;
}

export function registerCredits(program: Command, dependencies: CliDependencies): void {
  const credits = program.command("credits").description("show and change the credits of an organization");
  addCommand(credits, "show", "show the current balance", "credits show --org org_demo")
    .requiredOption("--org <id>", "the organization")
    .action((flags: Flags) => show(dependencies, flags));
  addCommand(
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

async function show({ withDatabase, stdout }: CliDependencies, { org, json }: Flags): Promise<void> {
  const credits = await withDatabase("credits show", ({ pool }) => showCredits(pool, org));
  stdout(text(credits, json));
}

async function grant(
  { withDatabase, stdout }: CliDependencies,
  { org, amount, note, json }: Flags & { amount: number; note?: string },
): Promise<void> {
  if (amount === 0) throw new UsageError("The amount must not be 0.");
  const request = { organizationId: org, amount, note };
  const credits = await withDatabase("credits grant", ({ pool }) => grantCredits(pool, ids, request));
  stdout(text(credits, json));
}

function text(credits: Credits, json: boolean | undefined): string {
  if (json) return JSON.stringify(credits);
  return credits.limited
    ? `${credits.organizationId} has ${credits.balance} credits left.`
    : `${credits.organizationId} has unlimited credits.`;
}
