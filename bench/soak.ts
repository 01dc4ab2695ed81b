// The service for a long time at a third of what it can do, with a little of everything, watched for what grows.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client } from "./soak/client.ts";
import { Mix } from "./soak/mix.ts";
import { capacityOf, PacedLoad } from "./soak/pace.ts";
import { deadTables, type Sample, takeSample, waitsOf } from "./soak/samples.ts";
import { verdictsOf } from "./soak/verdicts.ts";
import { DOCUMENTS, FLOWS } from "./soak/workspace.ts";
import { complaints, stopChildren } from "./support/children.ts";
import { startCluster } from "./support/cluster.ts";
import { install } from "./support/service.ts";
import { ORGANIZATION } from "./support/workspace.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    percent: { type: "string", default: "30" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.error(`npm run soak -- [--minutes 30] [--percent 30] [--json]

Runs the service at a share of its capacity with a mix of triggers, webhooks, reads, lists, streams, cancels
and chats, and looks at memory, open files, connections and dead rows every few seconds. Ends with slopes
an hour and exit code 1 when a bound is broken. Half an hour leaves about 3 GB in a temporary folder meanwhile.`);
  process.exit(0);
}
const minutes = Number(values.minutes);
const SAMPLE_MS = 3_000;
const PROGRESS_EVERY = 10;
/** Caches fill, code is compiled, the heap finds its size, and vacuum comes round for the first time. */
const warmUpMs = Math.max(minutes / 4, Math.min(5, minutes / 2)) * 60_000;
const CALIBRATION_SECONDS = 20;
const WEBHOOK_LIMITS_OFF = {
  MILLRACE_WEBHOOK_REQUESTS_PER_10S: "0",
  MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S: "0",
};

const cluster = await startCluster({ statements: false });
const stop = async (): Promise<void> => {
  await stopChildren();
  await cluster.stop();
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(1)));
}

try {
  const service = await install(cluster, "soak");
  await service.apply(DOCUMENTS);
  const key = await service.createKey(ORGANIZATION);
  const { url } = JSON.parse(await service.cli("webhooks", "show", "--flow", FLOWS.short, "--json")) as {
    url: string;
  };
  const { port, child } = await service.start("start", WEBHOOK_LIMITS_OFF);
  const { pool } = service.database;

  const client = new Client(port, key);
  const mix = new Mix(client, new URL(url).pathname);
  await capacityOf(mix, CALIBRATION_SECONDS / 2);
  const capacity = await capacityOf(mix, CALIBRATION_SECONDS);
  const perSecond = (capacity * Number(values.percent)) / 100;
  console.error(`takes ${Math.round(capacity)} things a second; going on with ${Math.round(perSecond)}`);

  const startedAtMs = performance.now();
  const onCrowd = (): void => {
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
    void waitsOf(pool).then((waits) => console.error(`${seconds} s  hundreds wait; the database: ${waits}`));
  };
  const load = new PacedLoad(mix, perSecond, onCrowd);
  const running = load.run();
  const progress = (sample: Sample): void =>
    console.error(describe(sample, (sample.atMs - startedAtMs) / 1000, load.state.done));
  const samples: Sample[] = [];
  while (performance.now() - startedAtMs < minutes * 60_000) {
    await sleep(SAMPLE_MS);
    samples.push(await takeSample(child.pid, port, pool));
    if (samples.length % PROGRESS_EVERY === 0) progress(samples.at(-1)!);
  }
  load.stop();
  await running;
  client.close();

  const settled = samples.filter(({ atMs }) => atMs - startedAtMs > warmUpMs);
  const verdicts = verdictsOf(settled, load.state, await deadTables(pool));
  for (const { text, broken } of verdicts) console.log(`${broken ? "BROKEN" : "ok    "}  ${text}`);
  if (values.json) console.log(JSON.stringify({ capacity, perSecond, verdicts, samples }));
  if (verdicts.some(({ broken }) => broken)) process.exitCode = 1;
} catch (error) {
  console.error(complaints());
  throw error;
} finally {
  await stop();
}

function describe(sample: Sample, seconds: number, done: number): string {
  return (
    `${seconds.toFixed(0).padStart(5)} s  ${done.toLocaleString("en")} done  RSS ${sample.rssMb.toFixed(0)} MB` +
    `  heap ${sample.heapMb.toFixed(0)} MB  outside it ${sample.outsideHeapMb.toFixed(0)} MB  sandbox ${sample.childrenRssMb.toFixed(0)} MB  files ${sample.openFiles}` +
    `  connections ${sample.connections}  dead ${sample.deadPercent.toFixed(1)} %` +
    `  tables ${sample.tablesMb.toFixed(0)} MB  indexes ${sample.indexesMb.toFixed(0)} MB  waiting ${sample.waiting}`
  );
}
