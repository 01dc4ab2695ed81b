import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { SCENARIOS } from "./scenarios/all.ts";
import type { Scenario } from "./scenarios/scenario.ts";

export interface ChaosOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly scenario: Scenario;
  /** How long everything may take to come to rest after the last fault. */
  readonly settleSeconds: number;
  readonly keep: boolean;
  /** Where the run keeps its files; otherwise a directory of its own. */
  readonly json: string | undefined;
}

export function helpText(): string {
  const scenarios = SCENARIOS.map(({ name, summary }) => `    ${name.padEnd(18)}${summary}`).join("\n");
  return `Breaks a real cluster in every way for a while, and checks afterwards that no promise was broken.

  npm run chaos -- [--minutes 2 | --seconds N] [--seed N] [--scenario random] [--settle 120] [--keep] [--json file]

  --minutes N     how long faults are made (default 2)
  --seconds N     the same in seconds
  --seed N        a run can be tried again with the seed it printed (default: a random one)
  --scenario S    which faults, one of
${scenarios}
  --settle N      seconds everything may take to come to rest afterwards (default 120)
  --keep          keep the run's directory (log of all requests, logs of all processes) also when all is well
  --json file     write verdicts and totals there, too

Examples
  npm run chaos
  npm run chaos -- --minutes 10 --seed 7
  npm run chaos -- --scenario zombies --seconds 20
  npm run chaos:mutate              take guards out of the service one at a time; chaos must notice each

Processes are started again and again from this working tree: leave its sources alone meanwhile.
Exit code 1: a promise was broken; the run's directory is kept and named.`;
}

/** Undefined: help was asked for. Throws where the arguments make no sense. */
export function parseOptions(args: readonly string[]): ChaosOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: "string" },
      seconds: { type: "string" },
      seed: { type: "string" },
      scenario: { type: "string", default: "random" },
      settle: { type: "string", default: "120" },
      keep: { type: "boolean", default: false },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const scenario = SCENARIOS.find(({ name }) => name === values.scenario);
  if (!scenario) throw new Error(`There is no scenario "${values.scenario}"; see --help.`);
  const seconds =
    values.seconds === undefined
      ? positive("minutes", values.minutes ?? "2") * 60
      : positive("seconds", values.seconds);
  return {
    seconds,
    seed: values.seed === undefined ? randomInt(2 ** 31) : positive("seed", values.seed),
    scenario,
    settleSeconds: positive("settle", values.settle),
    keep: values.keep,
    json: values.json,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number greater than 0, not "${text}".`);
  return value;
}
