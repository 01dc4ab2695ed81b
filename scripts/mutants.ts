// A copy of the workspace from which guards are taken out, and what the tests say to that.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** One guard of the run engine: how to take it out, and the tests that must miss it. */
export interface Guard {
  readonly name: string;
  /** Below packages/server. */
  readonly file: string;
  /** Texts and what is put in their place. */
  readonly cut: readonly (readonly [string, string])[];
  /** Below packages/server/tests; behind " › " the name of a single test. */
  readonly suites: readonly string[];
}

export interface Verdict {
  readonly guard: string;
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly firstFailure: string;
}

/** Gives `work` the directory of a copy that is gone afterwards. */
export async function withCopy(work: (copy: string) => Promise<void>): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), "millrace-mutants-"));
  try {
    for (const part of [
      "packages",
      "examples",
      "chaos",
      "scripts",
      "package.json",
      "tsconfig.json",
      "vitest.config.ts",
    ]) {
      await cp(join(root, part), join(copy, part), {
        recursive: true,
        filter: (source) => !source.includes("/node_modules"),
      });
    }
    await linkModules(join(root, "node_modules"), join(copy, "node_modules"));
    await work(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** The sandbox's children may read their libraries where they are found, and nothing that a link leads to. */
const READ_BY_THE_SANDBOX = new Set(["quickjs-wasi", "jsonata", "re2js"]);

async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (READ_BY_THE_SANDBOX.has(name)) await cp(join(from, name), join(to, name), { recursive: true });
    else await symlink(join(from, name), join(to, name));
  }
}

/** @throws where what is to be taken out is no longer there. */
export async function checkCuts(guards: readonly Guard[]): Promise<void> {
  for (const guard of guards)
    mutantOf(await readFile(join(root, "packages/server", guard.file), "utf8"), guard);
}

function mutantOf(original: string, { name, file, cut }: Pick<Guard, "name" | "file" | "cut">): string {
  return cut.reduce((text, [part, replacement]) => {
    if (!text.includes(part)) throw new Error(`${name}: ${file} does not contain "${part}"`);
    return text.replaceAll(part, replacement);
  }, original);
}

/** Takes one guard out of the copy for as long as `work` lasts. */
export async function withMutant<T>(
  copy: string,
  { name, file, cut }: Pick<Guard, "name" | "file" | "cut">,
  work: () => T | Promise<T>,
): Promise<T> {
  const path = join(copy, "packages/server", file);
  const original = await readFile(path, "utf8");
  await writeFile(path, mutantOf(original, { name, file, cut }));
  try {
    return await work();
  } finally {
    await writeFile(path, original);
  }
}

export async function runSuites(copy: string, guard: string, suites: readonly string[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const suite of suites) {
    const [file = "", name] = suite.split(" › ");
    const results = await runTests(copy, [file], name === undefined ? [] : ["-t", name]);
    verdicts.push(toVerdict(guard, suite, results));
  }
  return verdicts;
}

/** All of them in one go, while nothing is taken out. */
export async function runUntouched(copy: string, suites: ReadonlySet<string>): Promise<Verdict[]> {
  const files = new Set([...suites].map((suite) => suite.split(" › ")[0]!));
  console.log(`The tests that the guards name, untouched: ${files.size} files …`);
  const results = await runTests(copy, [...files]);
  return [...suites].map((suite) => {
    const [file = "", name = ""] = suite.split(" › ");
    const meant = results.filter(
      (result) => result.file.endsWith(file) && new RegExp(name).test(result.fullName),
    );
    return toVerdict("untouched", suite, meant);
  });
}

interface TestResult {
  readonly file: string;
  readonly fullName: string;
  readonly status: string;
}

async function runTests(
  copy: string,
  files: readonly string[],
  filter: readonly string[] = [],
): Promise<TestResult[]> {
  const report = join(copy, "report.json");
  const paths = files.map((file) => `packages/server/tests/${file}`);
  const vitest = spawn(
    join(root, "node_modules/.bin/vitest"),
    ["run", ...paths, ...filter, "--reporter=json", `--outputFile=${report}`],
    { cwd: copy, stdio: "ignore" },
  );
  await once(vitest, "exit");
  if (!existsSync(report)) return [];
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[];
  };
  rmSync(report);
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName }) => ({ file: name, status, fullName })),
  );
}

function toVerdict(guard: string, suite: string, results: readonly TestResult[]): Verdict {
  const failures = results.filter(({ status }) => status === "failed");
  const passed = results.filter(({ status }) => status === "passed").length;
  return { guard, suite, passed, failed: failures.length, firstFailure: failures[0]?.fullName ?? "" };
}

/** Where a whole file fails, the mutant is broken and nothing is proved; a single test has only itself. */
export function isProof({ passed, failed, suite }: Verdict): boolean {
  return failed > 0 && (passed > 0 || suite.includes(" › "));
}

export function print(verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts) {
    const { guard, suite, passed, failed, firstFailure } = verdict;
    const colour = failed === 0 ? "green" : isProof(verdict) ? "red" : "broken";
    console.log(
      `${colour.padEnd(6)} ${guard.padEnd(46)} ${suite.split(" › ")[0]!.padEnd(26)} ${failed} of ${passed + failed} failed  ${firstFailure}`,
    );
  }
}
