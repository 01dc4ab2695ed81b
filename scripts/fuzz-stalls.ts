// Searches for what stops the service: stalls of its event loop, growth of its memory, an end of its process.
//   npm run fuzz -- stalls --minutes 10 --seed 42 --kind expressions,flows
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { embeddedConnection, embeddedPaths } from "../packages/server/src/storage/embedded/paths.ts";
import { startEmbeddedServer } from "../packages/server/src/storage/embedded/server.ts";
import { createPool } from "../packages/server/src/storage/pool.ts";
import { Arena, type OwnDatabase } from "../packages/server/tests/stalls/arena/arena.ts";
import type { Case, Kind } from "../packages/server/tests/stalls/case.ts";
import { measure } from "../packages/server/tests/stalls/measure.ts";
import { describeFinding, describeResult, Report } from "../packages/server/tests/stalls/report.ts";
import { search } from "../packages/server/tests/stalls/search.ts";
import { cleanUps } from "./clean-up.ts";

const MAX_SHRINKS = 40;

export interface StallsOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly kinds: readonly Kind[];
  /** One case from a file instead of a search. */
  readonly caseFile?: string | undefined;
  /** `bin/millrace.js` of another checkout. */
  readonly program?: string | undefined;
  /** Where cases are written that can be repeated. */
  readonly findings?: string | undefined;
  /** A line for every case. */
  readonly verbose?: boolean;
}

/** Returns the number of findings. */
export async function fuzzStalls(options: StallsOptions): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-fuzz-"));
  cleanUps.push(() => rm(directory, { recursive: true, force: true }));
  const paths = embeddedPaths(directory);
  const postgres = await startEmbeddedServer(paths, { fsync: "off" });
  cleanUps.push(() => postgres.stop());
  const connection = await embeddedConnection(paths);
  let databases = 0;
  const asAdmin = async (sql: string) => {
    const client = new Client(connection);
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  const newDatabase = async (): Promise<OwnDatabase> => {
    const database = `stalls_${++databases}`;
    await asAdmin(`CREATE DATABASE ${database}`);
    const own = { ...connection, database };
    const pool = createPool({ connection: own, size: 4, applicationName: "fuzz" });
    return {
      connection: own,
      pool,
      drop: async () => {
        await pool.end();
        await asAdmin(`DROP DATABASE ${database} WITH (FORCE)`);
      },
    };
  };
  const arena = await Arena.open({ newDatabase, program: options.program });
  cleanUps.push(() => arena.close());
  if (options.caseFile !== undefined) return repeatCase(arena, options.caseFile);

  const report = new Report();
  const keep = keeper(options.findings ?? (await mkdtemp(join(tmpdir(), "millrace-stalls-"))));
  await search(arena, {
    ...options,
    endAtMs: performance.now() + options.minutes * 60_000,
    maxShrinks: MAX_SHRINKS,
    onResult: (result) => {
      report.listeners.onResult(result);
      if (options.verbose) console.log(`  ${describeResult(result)}`);
    },
    onFinding: (finding) => {
      report.listeners.onFinding(finding);
      console.log(`✗ ${describeFinding(finding)}\n  again with --case ${keep(finding.case)}\n`);
    },
  });
  for (const line of report.kindLines()) console.log(line);
  console.log("\nThe longest stalls:");
  for (const result of report.worst())
    console.log(`  ${describeResult(result)}\n    --case ${keep(result.case)}`);
  return report.findings.length;
}

async function repeatCase(arena: Arena, file: string): Promise<number> {
  const deed = JSON.parse(await readFile(file, "utf8")) as Case;
  const measured = await measure(arena, deed, { profile: true });
  console.log(describeResult({ case: deed, measured }));
  for (const line of [...measured.faults, ...measured.hottest]) console.log(`  ${line}`);
  return measured.faults.length;
}

/** Writes cases into files that repeat them. */
function keeper(directory: string): (deed: Case) => string {
  let count = 0;
  mkdirSync(directory, { recursive: true });
  return (deed) => {
    const file = join(directory, `case-${++count}.json`);
    writeFileSync(file, JSON.stringify(deed));
    return file;
  };
}
