// Fuzzes a service of its own for a while: requests made from its OpenAPI document, and abuse of bare sockets;
// or searches for what makes it stand still or grow.
//   npm run fuzz -- --minutes 10 --seed 42
//   npm run fuzz -- stalls --minutes 10 --seed 42 --kind expressions,flows
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { embeddedConnection, embeddedPaths } from "../packages/server/src/storage/embedded/paths.ts";
import { startEmbeddedServer } from "../packages/server/src/storage/embedded/server.ts";
import { migrate } from "../packages/server/src/storage/migrate.ts";
import { createPool } from "../packages/server/src/storage/pool.ts";
import { abuseAll } from "../packages/server/tests/fuzz/abuse-all.ts";
import { fuzzOperation, type Statuses } from "../packages/server/tests/fuzz/fuzz-requests.ts";
import { addFuzzWorkspace } from "../packages/server/tests/fuzz/fuzz-workspace.ts";
import { completesARun, startFuzzedService } from "../packages/server/tests/fuzz/fuzzed-service.ts";
import { readOperations } from "../packages/server/tests/fuzz/operations.ts";
import { sizeOf } from "../packages/server/tests/fuzz/process-size.ts";
import { kinds } from "../packages/server/tests/stalls/case.ts";
import { cleanUp, cleanUpAtAnyEnd, cleanUps } from "./clean-up.ts";
import { fuzzStalls } from "./fuzz-stalls.ts";
import { startOpenAiServer } from "../packages/server/tests/support/openai-server.ts";

const REQUESTS_EACH = 200;

const USAGE = `npm run fuzz -- [--minutes 5] [--seed 42]
npm run fuzz -- stalls [--minutes 5] [--seed 42] [--kind ${kinds.join(",")}]
                       [--findings directory] [--case file.json] [--millrace …/bin/millrace.js] [--verbose]

Every round has the seed after the last one; a seed repeats its round.
stalls: --case repeats one case with a profile, --findings says where cases are kept, --millrace measures another checkout.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kind: { type: "string", default: kinds.join(",") },
    case: { type: "string" },
    findings: { type: "string" },
    millrace: { type: "string" },
    verbose: { type: "boolean", default: false },
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    help: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const firstSeed = Number(values.seed);
const chosen = kinds.filter((kind) => values.kind.split(",").includes(kind));
const [search] = positionals;
const isUsage = (search === undefined || search === "stalls") && chosen.length > 0;
if (values.help || !(minutes > 0) || !Number.isSafeInteger(firstSeed) || !isUsage) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 1);
}

cleanUpAtAnyEnd();
try {
  const findings =
    search === "stalls"
      ? await fuzzStalls({
          minutes,
          seed: firstSeed,
          kinds: chosen,
          caseFile: values.case,
          findings: values.findings,
          program: values.millrace,
          verbose: values.verbose,
        })
      : await fuzz();
  if (findings > 0) process.exitCode = 1;
} finally {
  await cleanUp();
}

async function fuzz(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-fuzz-"));
  cleanUps.push(() => rm(directory, { recursive: true, force: true }));
  const paths = embeddedPaths(directory);
  const postgres = await startEmbeddedServer(paths, { fsync: "off" });
  cleanUps.push(() => postgres.stop());
  const connection = await embeddedConnection(paths);
  const pool = createPool({ connection, size: 2, applicationName: "fuzz" });
  cleanUps.push(() => pool.end());
  await migrate(pool);
  const model = await startOpenAiServer(() => ({ text: "Hello from the model" }));
  cleanUps.push(() => model.close());
  const service = await startFuzzedService(connection);
  cleanUps.push(() => service.stop());
  const workspace = await addFuzzWorkspace(pool, service, model.baseUrl);
  const operations = await readOperations(service.address);

  let failures = 0;
  const endAtMs = performance.now() + minutes * 60_000;
  for (let seed = firstSeed; performance.now() < endAtMs; seed++) {
    const statuses: Statuses = new Map();
    for (const operation of operations) {
      if (performance.now() > endAtMs) break;
      const options = { address: service.address, workspace, seed, requests: REQUESTS_EACH, statuses };
      await fuzzOperation(operation, options).catch((error: unknown) => {
        failures++;
        console.log(`✗ ${error instanceof Error ? error.message : String(error)}\n`);
      });
    }
    for (const fault of await abuseAll({
      address: service.address,
      key: workspace.keys["one"]!,
      pausedRunId: workspace.pausedRunId,
    })) {
      failures++;
      console.log(`✗ ${fault}\n`);
    }
    const ended = await completesARun(service.address, workspace.keys["one"]!, "flow_hello");
    const complaints = service.complaints();
    if (ended !== "COMPLETED" || complaints.length > 0) {
      console.log(`✗ after seed ${seed} a run ended as ${ended}\n${complaints.join("\n")}`);
      return failures + 1;
    }
    const { openFiles, residentMegabytes } = await sizeOf(service.pid);
    console.log(
      `seed ${seed}: ${describe(statuses)}; ${openFiles} files open, ${Math.round(residentMegabytes)} MB`,
    );
  }
  return failures;
}

function describe(statuses: Statuses): string {
  const total = new Map<number, number>();
  for (const each of statuses.values())
    for (const [status, count] of each) total.set(status, (total.get(status) ?? 0) + count);
  return [...total]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status}`)
    .join(", ");
}
