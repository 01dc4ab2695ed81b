// The mutation proof: each guard of the run engine is taken out once, in a copy, and the tests that stand for it
// must turn red. A guard that nobody misses is either not needed or not proved.
//   npm run mutate                 all guards
//   npm run mutate -- finish       those whose name contains "finish"
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Guard, guards } from "./mutations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Verdict {
  readonly guard: string;
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly firstFailure: string;
}

const wanted = process.argv[2] ?? "";
const chosen = guards.filter(({ name }) => name.includes(wanted));
const copy = await mkdtemp(join(tmpdir(), "millrace-mutants-"));
try {
  await copyWorkspace();
  const verdicts: Verdict[] = [];
  const untouched = runSuites("untouched", [...new Set(chosen.flatMap(({ suites }) => suites))]);
  if (untouched.some(({ failed }) => failed > 0)) {
    print(untouched);
    throw new Error("The tests are red before anything was taken out.");
  }
  for (const guard of chosen) {
    const verdict = await withMutant(guard, () => runSuites(guard.name, guard.suites));
    print(verdict);
    verdicts.push(...verdict);
  }
  const unproved = verdicts.filter((verdict) => !isProof(verdict));
  console.log(`\n${verdicts.length - unproved.length} of ${verdicts.length} red.`);
  if (unproved.length > 0) process.exitCode = 1;
} finally {
  await rm(copy, { recursive: true, force: true });
}

async function copyWorkspace(): Promise<void> {
  for (const part of ["packages", "examples", "package.json", "tsconfig.json", "vitest.config.ts"]) {
    await cp(join(root, part), join(copy, part), {
      recursive: true,
      filter: (source) => !source.includes("/node_modules"),
    });
  }
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
}

async function withMutant<T>({ name, file, cut }: Guard, work: () => T): Promise<T> {
  const path = join(copy, "packages/server", file);
  const original = await readFile(path, "utf8");
  const mutant = cut.reduce((text, [part, replacement]) => {
    if (!text.includes(part)) throw new Error(`${name}: ${file} does not contain "${part}"`);
    return text.replaceAll(part, replacement);
  }, original);
  await writeFile(path, mutant);
  try {
    return work();
  } finally {
    await writeFile(path, original);
  }
}

function runSuites(guard: string, suites: readonly string[]): Verdict[] {
  return suites.map((suite) => {
    const [file = "", name] = suite.split(" › ");
    const report = join(copy, "report.json");
    const filter = name === undefined ? [] : ["-t", name];
    spawnSync(
      join(root, "node_modules/.bin/vitest"),
      ["run", `packages/server/tests/${file}`, ...filter, "--reporter=json", `--outputFile=${report}`],
      { cwd: copy, stdio: "ignore" },
    );
    return { guard, suite, ...readReport(report) };
  });
}

function readReport(path: string): Omit<Verdict, "guard" | "suite"> {
  if (!existsSync(path)) return { passed: 0, failed: 0, firstFailure: "no report" };
  const { testResults } = JSON.parse(readFileSync(path, "utf8")) as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  rmSync(path);
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failures = results.filter(({ status: outcome }) => outcome === "failed");
  return {
    passed: results.filter(({ status: outcome }) => outcome === "passed").length,
    failed: failures.length,
    firstFailure: failures[0]?.fullName ?? "",
  };
}

/** Where a whole file fails, the mutant is broken and nothing is proved; a single test has only itself. */
function isProof({ passed, failed, suite }: Verdict): boolean {
  return failed > 0 && (passed > 0 || suite.includes(" › "));
}

function print(verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts) {
    const { guard, suite, passed, failed, firstFailure } = verdict;
    const colour = failed === 0 ? "green" : isProof(verdict) ? "red" : "broken";
    console.log(
      `${colour.padEnd(6)} ${guard.padEnd(46)} ${suite.split(" › ")[0]!.padEnd(26)} ${failed} of ${passed + failed} failed  ${firstFailure}`,
    );
  }
}
