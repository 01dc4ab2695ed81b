import { type TriggerSource, triggerSources } from "@millrace/contract/run-status";
import type { Command } from "commander";

/** Which runs are meant; the same words for a list of them and for a job. */
export interface RunFilterFlags {
  readonly flow?: string;
  readonly status?: string[];
  readonly tag?: string[];
  readonly trigger?: TriggerSource[];
  readonly period?: string;
}

export function addRunFilter(command: Command): Command {
  return command
    .option("--flow <id>", "only runs of this flow")
    .option("--status <list>", "any of these statuses, comma-separated", commaList)
    .option("--tag <list>", "any of these tags, comma-separated", commaList)
    .option("--trigger <list>", `started by any of ${triggerSources.join(", ")}, comma-separated`, commaList)
    .option("--period <period>", "created in today, yesterday, week, month, year, or 30m, 12h, 7d");
}

function commaList(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}
