// The mutation proof: each guard of the run engine is taken out once, in a copy, and the tests that stand for it
// must turn red. A guard that nobody misses is either not needed or not proved.
//   npm run mutate                 all guards
//   npm run mutate -- finish       those whose name contains "finish"
//   npm run mutate -- "rule "      the rules of what a run means
import { isProof, print, runSuites, runUntouched, type Verdict, withCopy, withMutant } from "./mutants.ts";
import { guards } from "./mutations.ts";

const wanted = process.argv[2] ?? "";
const chosen = guards.filter(({ name }) => name.includes(wanted));
await withCopy(async (copy) => {
  const verdicts: Verdict[] = [];
  const untouched = runUntouched(copy, new Set(chosen.flatMap(({ suites }) => suites)));
  if (untouched.some(({ failed, passed }) => failed > 0 || passed === 0)) {
    print(untouched.filter(({ failed, passed }) => failed > 0 || passed === 0));
    throw new Error("These tests fail, or are not there, before anything was taken out.");
  }
  for (const guard of chosen) {
    const verdict = await withMutant(copy, guard, () => runSuites(copy, guard.name, guard.suites));
    print(verdict);
    verdicts.push(...verdict);
  }
  const unproved = verdicts.filter((verdict) => !isProof(verdict));
  console.log(`\n${verdicts.length - unproved.length} of ${verdicts.length} red.`);
  if (unproved.length > 0) process.exitCode = 1;
});
