// The mutation proof: each guard of the run engine is taken out once, in a copy, and the tests that stand for it
// must turn red. A guard that nobody misses is either not needed or not proved.
//   npm run mutate                 all guards
//   npm run mutate -- finish       those whose name contains "finish"
//   npm run mutate -- "rule "      the rules of what a run means
import { availableParallelism } from "node:os";
import {
  checkCuts,
  isProof,
  print,
  runSuites,
  runUntouched,
  type Verdict,
  withCopy,
  withMutant,
} from "./mutants.ts";
import { guards } from "./mutations.ts";

const wanted = process.argv[2] ?? "";
const chosen = guards.filter(({ name }) => name.includes(wanted));
await checkCuts(chosen);
await withCopy(checkUntouched);
const left = [...chosen];
const verdicts: Verdict[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, () => withCopy(takeOut)));
const unproved = verdicts.filter((verdict) => !isProof(verdict));
console.log(`\n${verdicts.length - unproved.length} of ${verdicts.length} red.`);
if (unproved.length > 0) {
  print(unproved);
  process.exitCode = 1;
}

/** A test that fails anyway would prove nothing. */
async function checkUntouched(copy: string): Promise<void> {
  const untouched = await runUntouched(copy, new Set(chosen.flatMap(({ suites }) => suites)));
  const useless = untouched.filter(({ failed, passed }) => failed > 0 || passed === 0);
  if (useless.length === 0) return;
  print(useless);
  throw new Error("These tests fail, or are not there, before anything was taken out.");
}

async function takeOut(copy: string): Promise<void> {
  for (let guard = left.shift(); guard !== undefined; guard = left.shift()) {
    const { name, suites } = guard;
    const found = await withMutant(copy, guard, () => runSuites(copy, name, suites));
    print(found);
    verdicts.push(...found);
  }
}
