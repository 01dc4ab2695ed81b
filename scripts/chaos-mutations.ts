// The proof that chaos can fail: guards are taken out one at a time, in a copy, and a short run with faults chosen
// for that guard must find the promise broken that the guard stands for. Guards that processes and networks cannot
// show are proved by the tests of their own part, in the same list.
//   npm run chaos:mutate                 all
//   npm run chaos:mutate -- finish       those whose name contains "finish"
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../chaos/report.ts";
import { isProof, print, runSuites, withCopy, withMutant } from "./mutants.ts";
import { guards } from "./mutations.ts";

interface ChaosProof {
  readonly guard: string;
  readonly scenario: string;
  /** The number of the promise that must be found broken. */
  readonly breaks: number;
}

const CHAOS: readonly ChaosProof[] = [
  { guard: "epoch in checkpoint", scenario: "zombies", breaks: 4 },
  { guard: "epoch in finish", scenario: "zombies", breaks: 4 },
  { guard: "epoch raised by reap", scenario: "losses", breaks: 4 },
  { guard: "FOR SHARE in checkpoint", scenario: "slow-disk", breaks: 4 },
  { guard: "no checkpoint after an end from outside", scenario: "slow-disk", breaks: 4 },
  { guard: "rule 1: a failure that was handled stays handled", scenario: "losses", breaks: 5 },
  { guard: "organization lock in admit", scenario: "storm", breaks: 6 },
  { guard: "organization lock in dispatch", scenario: "storm", breaks: 6 },
  { guard: "unique settlement", scenario: "schema", breaks: 8 },
  { guard: "only moves of the table", scenario: "schema", breaks: 2 },
  { guard: "a run tells that it goes on", scenario: "schema", breaks: 14 },
  { guard: "reaper", scenario: "losses", breaks: 1 },
  { guard: "poll behind the wake-ups", scenario: "silence", breaks: 6 },
];
const SUITES = [
  "literal addresses are judged",
  "RE2 for regular expressions",
  "a child that is called off is killed",
];
const SECONDS = 12;
const SETTLE_SECONDS = 30;
const MAX_TRIES = 4;
/** Fewer than any scenario comes to on a crowded machine. Promises of a service that never answered are not kept, but untried. */
const MIN_ACKNOWLEDGED = 20;

const wanted = process.argv[2] ?? "";
if (wanted === "--help") {
  console.log("npm run chaos:mutate [-- part of a guard's name]\n");
  for (const { guard, scenario, breaks } of CHAOS)
    console.log(`  ${guard.padEnd(46)} ${scenario}: breaks ${breaks}`);
  for (const name of SUITES) console.log(`  ${name.padEnd(46)} ${guardOf(name).suites.join(", ")}`);
} else {
  await withCopy(prove);
}

async function prove(copy: string): Promise<void> {
  const chosen = CHAOS.filter(({ guard }) => guard.includes(wanted));
  const unproved: string[] = [];
  for (const scenario of new Set(chosen.map((proof) => proof.scenario))) {
    const broken = runChaos(copy, scenario);
    console.log(`${(broken?.size === 0 ? "green" : "RED").padEnd(6)} ${"untouched".padEnd(46)} ${scenario}`);
    if (broken?.size !== 0) unproved.push(`${scenario} is not green before anything was taken out`);
  }
  for (const { guard, scenario, breaks } of chosen) {
    const broken = await withMutant(copy, guardOf(guard), () => chaosUntilBroken(copy, scenario, breaks));
    const red = broken?.has(breaks) ?? false;
    if (!red) unproved.push(guard);
    const found =
      broken === undefined
        ? "no report, or nothing happened"
        : [...broken].map(([n, example]) => `${n}: ${example}`).join("; ");
    console.log(`${(red ? "red" : "green").padEnd(6)} ${guard.padEnd(46)} ${scenario.padEnd(10)} ${found}`);
  }
  for (const name of SUITES.filter((name) => name.includes(wanted))) {
    const guard = guardOf(name);
    const untouched = await runSuites(copy, "untouched", guard.suites);
    print(untouched);
    if (untouched.some(({ passed, failed }) => passed === 0 || failed > 0))
      unproved.push(`${guard.suites.join(", ")} is not green before anything was taken out`);
    const verdicts = await withMutant(copy, guard, () => runSuites(copy, name, guard.suites));
    print(verdicts);
    if (!verdicts.every(isProof)) unproved.push(name);
  }
  console.log(unproved.length === 0 ? "\nEvery guard is missed." : `\nNot proved: ${unproved.join("; ")}`);
  if (unproved.length > 0) process.exitCode = 1;
}

function guardOf(name: string) {
  const guard = guards.find((known) => known.name === name);
  if (!guard) throw new Error(`There is no guard "${name}" in mutations.ts.`);
  return guard;
}

/** Whether a fault comes at the very moment that a guard is for is a matter of chance; of several times it does once. */
function chaosUntilBroken(copy: string, scenario: string, breaks: number): Map<number, string> | undefined {
  for (let seed = 1; seed < MAX_TRIES; seed++) {
    const broken = runChaos(copy, scenario, seed);
    if (broken?.has(breaks)) return broken;
  }
  return runChaos(copy, scenario, MAX_TRIES);
}

/**
 * Numbers of the promises that were found broken, each with an example; undefined where the run came to no end or nothing
 * happened in it.
 */
function runChaos(copy: string, scenario: string, seed = 1): Map<number, string> | undefined {
  const report = join(copy, "chaos.json");
  const args = [
    "--scenario",
    scenario,
    "--seconds",
    SECONDS,
    "--settle",
    SETTLE_SECONDS,
    "--seed",
    seed,
    "--json",
    report,
  ];
  const { stdout } = spawnSync(process.execPath, ["chaos/run.ts", ...args.map(String)], {
    cwd: copy,
    encoding: "utf8",
    timeout: 240_000,
  });
  const kept = /processes: (.*)$/m.exec(stdout)?.[1];
  if (kept !== undefined) rmSync(kept, { recursive: true, force: true });
  if (!existsSync(report)) return undefined;
  const { verdicts, totals } = JSON.parse(readFileSync(report, "utf8")) as Pick<
    Report,
    "verdicts" | "totals"
  >;
  rmSync(report);
  if (totals.acknowledged < MIN_ACKNOWLEDGED || totals.runsPerSecond === 0) return undefined;
  return new Map(
    verdicts
      .filter(({ violations }) => violations.length > 0)
      .map(({ number, violations }) => [number, `${violations[0]} (${violations.length})`]),
  );
}
