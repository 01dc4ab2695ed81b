import { type Command, InvalidArgumentError } from "commander";
import type { DryRun } from "../domain/dry-run.ts";
import type { Replay } from "../domain/replay.ts";
import { IdMaker } from "../domain/ids.ts";
import { parseLifetimeMs } from "../domain/lifetime.ts";
import type { NodeCatalogue } from "../domain/flow/catalogue.ts";
import type { Database } from "../storage/open-database.ts";

/** What commands work with; main.ts fills it, tests fill it with their own. */
export interface CliDependencies {
  /**
   * Opens the configured database for the time of `work`. `anySchema` lets it be one that still has to be migrated.
   */
  readonly withDatabase: <T>(
    command: string,
    work: (database: Database) => Promise<T>,
    options?: { anySchema?: boolean },
  ) => Promise<T>;
  /** Somebody has said `--database`: what stands there is worked on, not the service. */
  readonly isDatabaseMeant: () => boolean;
  /** Both print one line. */
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly catalogue: NodeCatalogue;
  readonly dryRun: DryRun;
  /** Replays flows for the time of `work`. */
  readonly withReplay: <T>(work: (replay: Replay) => Promise<T>) => Promise<T>;
  /** Where the output is a terminal: lines can be drawn over. */
  readonly screen?: Screen;
  /** Where a person sits in front of it: one line of answer. */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string>;
  /** All of standard input; that of the process where left out. */
  readonly readInput?: () => Promise<string>;
  /** Aborted by Ctrl-C; from the first call on Ctrl-C does nothing else. */
  readonly interruption: () => AbortSignal;
  /** Adds the commands that run the service itself. */
  readonly startCommands: (program: Command) => void;
}

export interface Screen {
  /** As it stands, escape sequences included. */
  write(text: string): void;
  columns(): number;
}

/** The command line was not understood: exit code 2. */
export class UsageError extends Error {}

export const ids = new IdMaker(() => Date.now());

/** Every command can print JSON and shows an example of itself. */
export function addCommand(parent: Command, usage: string, summary: string, example: string): Command {
  return parent
    .command(usage)
    .description(summary)
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  $ millrace ${example}`);
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("It must be a whole number.");
  return value;
}

export function limitNumber(text: string): number {
  const value = wholeNumber(text);
  if (value < 0 || value > 2_147_483_647)
    throw new InvalidArgumentError("It must be between 0 and 2147483647.");
  return value;
}

export function lifetime(text: string): number {
  const lifetimeMs = parseLifetimeMs(text);
  if (!lifetimeMs) throw new InvalidArgumentError("It must be a time such as 12h, 90d or 4w, at most 3650d.");
  return lifetimeMs;
}

/** A moment: so long ago, or a date. */
export function pointInTime(text: string): Date {
  const agoMs = parseLifetimeMs(text);
  const time = agoMs === undefined ? new Date(text) : new Date(Date.now() - agoMs);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError("It must be a time such as 2h, 3d or 2026-01-31T12:00:00Z.");
  return time;
}
