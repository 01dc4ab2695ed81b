import { writeFile } from "node:fs/promises";
import type { SavedTest } from "@millrace/client";
import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { runIdOf } from "./run-id.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { plain } from "./texts.ts";

interface SaveFlags extends ServiceFlags {
  readonly keep?: string[];
  readonly redact?: boolean;
  readonly id?: string;
  readonly name?: string;
  readonly output?: string;
  readonly store?: boolean;
}

export function registerRunsSaveTest(runs: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    runs,
    "save-test <runId>",
    "make a test of the flow out of a run; values are replaced unless they may be kept",
    `runs save-test run_0Abc --keep trigger.body.amount,answers.charge --output order.test.yaml
  $ millrace runs save-test run_0Abc                # asks which values may be kept
  $ millrace runs save-test run_0Abc --redact       # keeps none
  $ millrace runs save-test run_0Abc --keep '*'     # keeps all but secrets`,
  )
    .option(
      "--keep <paths>",
      "values that may be kept, comma-separated: trigger.body.amount, data, lines[].price, *",
      commaList,
    )
    .option("--redact", "keep none, and do not ask")
    .option("--id <id>", "id of the test")
    .option("--name <text>", "name of the test")
    .option("-o, --output <file>", "write it to this file")
    .option("--store", "store it with the flow, for its editor and for publishing")
    .action((runId: string, flags: SaveFlags) => save(dependencies, runIdOf(runId), flags));
}

async function save(dependencies: CliDependencies, runId: string, flags: SaveFlags): Promise<void> {
  const { stdout, stderr } = dependencies;
  const { id, name, output } = flags;
  const saved = await withService(dependencies, flags, async ({ manage: { runs, deploys } }) => {
    const first = await runs.saveTest(runId, { id, name, keep: flags.keep });
    const wanted = flags.keep || flags.redact ? [] : await ask(dependencies, first);
    const made = wanted.length === 0 ? first : await runs.saveTest(runId, { id, name, keep: wanted });
    if (flags.store) await deploys.saveTest(made.document);
    return made;
  });
  if (output !== undefined) await writeFile(output, saved.yaml);
  if (flags.json) stdout(JSON.stringify(saved));
  else if (flags.store) stdout(`Stored with ${saved.document.flowId} as ${saved.document.id}.`);
  else if (output === undefined) stdout(plain(saved.yaml.trimEnd()));
  else stdout(`Written to ${output}; run it with: millrace flows test ${output}`);
  for (const warning of saved.warnings) stderr(`warning: ${plain(warning)}`);
  if (saved.redacted.length > 0 && !flags.json)
    stderr(`${saved.redacted.length} values were replaced: ${plain(saved.redacted.join(", "))}`);
}

const MAX_QUESTIONS = 100;

/** One question for each value; who only presses Enter keeps none. */
async function ask(
  { ask: question, interruption }: CliDependencies,
  { redacted }: SavedTest,
): Promise<string[]> {
  if (!question) return [];
  const signal = interruption();
  const kept: string[] = [];
  for (const path of redacted.slice(0, MAX_QUESTIONS)) {
    const answer = await question(`May ${plain(path)} be kept? [y/N] `, signal);
    if (/^y/i.test(answer.trim())) kept.push(path);
  }
  return kept;
}

function commaList(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}
