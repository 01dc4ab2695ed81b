import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
/** Always the same faults, unless somebody wants to try others: MILLRACE_CHAOS_SEED=7 npx vitest run chaos */
const seed = process.env["MILLRACE_CHAOS_SEED"] ?? "20261115";
const FAULT_SECONDS = 60;

let stop: (() => Promise<unknown>) | undefined;
afterEach(() => stop?.());

it("two API processes, three workers and a database that are broken for a minute break no promise", async () => {
  const directory = await mkdtemp(join(tmpdir(), "millrace-chaos-test-"));
  const report = join(directory, "report.json");
  const args = ["chaos/run.ts", "--seconds", String(FAULT_SECONDS), "--seed", seed, "--json", report];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  stop = async () => {
    // Asked, not killed: it has a cluster to stop.
    child.kill("SIGTERM");
    await exited;
    await rm(directory, { recursive: true, force: true });
  };
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = (await exited) as [number | null];
  console.log(output);
  expect(code, output).toBe(0);
  const { verdicts, totals } = JSON.parse(await readFile(report, "utf8")) as {
    verdicts: { number: number; name: string; violations: string[] }[];
    totals: { acknowledged: number; lost: number; faults: number };
  };
  expect(verdicts.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  for (const { name, violations } of verdicts) expect(violations, name).toEqual([]);
  expect(totals.lost).toBe(0);
  // A run in which little happened proves little.
  expect(totals.acknowledged).toBeGreaterThan(200);
  expect(totals.faults).toBeGreaterThan(5);
}, 400_000);
