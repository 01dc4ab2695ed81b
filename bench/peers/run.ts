// Millrace beside its peers: the same three steps, the same load, durable data, one machine, one run.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { stopChildren } from "../support/children.ts";
import { type Cluster, startCluster } from "../support/cluster.ts";
import { dbos } from "./dbos.ts";
import { graphileWorker } from "./graphile-worker.ts";
import { installPackages } from "./install.ts";
import { bestConnections, measure, warmUp } from "./measure.ts";
import { millrace, millraceSteps } from "./millrace.ts";
import { n8n } from "./n8n.ts";
import type { PreparedPeer } from "./peer.ts";
import { linesOf, type Outcome, renderLines } from "./report.ts";
import { restate } from "./restate.ts";

const ours = [millrace, millraceSteps];
const others = [n8n, dbos, restate, graphileWorker];

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
    "install-only": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const only = values.only?.split(",");
const unknown = only?.filter((name) => !others.some((peer) => peer.name === name)) ?? [];
if (values.help || unknown.length > 0) {
  const names = others.map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`);
  console.error(
    `npm run bench:peers -- [--only n8n,dbos] [--seconds 8] [--rounds 3] [--json] [--install-only]\n\n${names.join("\n")}`,
  );
  process.exit(unknown.length > 0 ? 1 : 0);
}
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const startedAt = new Date();
const outcomes: Outcome[] = [...ours, ...others.filter(({ name }) => only?.includes(name) ?? true)].map(
  (peer) => ({ peer, rounds: [], failure: undefined }),
);
const measurable = (): Outcome[] => outcomes.filter(({ failure }) => failure === undefined);
const progress = (text: string): void => console.error(text);

/** A peer that cannot be had or does not work says why on its line; the others go on. */
async function attempt<Result>(outcome: Outcome, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    outcome.failure = error instanceof Error ? error.message.trim().slice(0, 500) : String(error);
    progress(`${outcome.peer.name}: ${outcome.failure}`);
  }
}

let cluster: Cluster | undefined;
let interrupted = false;
const data = await mkdtemp(join(tmpdir(), "millrace-peers-data-"));
const stop = async (): Promise<void> => {
  await stopChildren();
  await cluster?.stop();
  await rm(data, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    interrupted = true;
    void stop().finally(() => process.exit(1));
  });
}

const folders = new Map<Outcome, string>();
for (const outcome of outcomes) {
  const { name, packages } = outcome.peer;
  const folder = packages && (await attempt(outcome, () => installPackages(name, packages, progress)));
  folders.set(outcome, folder ?? "");
}
if (values["install-only"]) {
  await stop();
  process.exit(measurable().length === outcomes.length ? 0 : 1);
}

try {
  cluster = await startCluster({ statements: false });
  const prepared = new Map<Outcome, PreparedPeer>();
  const connections = new Map<Outcome, number>();
  for (let round = 1; round <= rounds; round++) {
    for (const outcome of measurable()) {
      if (interrupted) break;
      const { peer } = outcome;
      await attempt(outcome, async () => {
        if (!prepared.has(outcome)) {
          progress(`${peer.name}: preparing`);
          const place = { cluster: cluster!, packages: folders.get(outcome)!, data: join(data, peer.name) };
          await mkdir(place.data);
          prepared.set(outcome, await peer.prepare(place));
        }
        const running = await prepared.get(outcome)!.start();
        try {
          await warmUp(running);
          if (!connections.has(outcome)) connections.set(outcome, await bestConnections(running));
          const measured = await measure(running, connections.get(outcome)!, seconds);
          outcome.rounds.push(measured);
          progress(
            `round ${round}: ${peer.name} ${Math.round(measured.completedPerSecond)}/s with ${measured.connections} connections`,
          );
        } finally {
          await running.stop();
        }
      });
      // Whatever a failed start has left behind must not run beside the next one.
      await stopChildren();
    }
  }
} finally {
  await stop();
}

const lines = linesOf(outcomes);
const report = {
  startedAt,
  seconds,
  rounds,
  machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem(), node: process.version },
  versions: Object.fromEntries(outcomes.map(({ peer }) => [peer.name, peer.packages?.dependencies ?? {}])),
  lines,
  measured: outcomes.map(({ peer, rounds }) => ({ name: peer.name, rounds })),
};
const results = join(import.meta.dirname, "..", "results");
await mkdir(results, { recursive: true });
const file = join(results, `peers-${startedAt.toISOString().replaceAll(":", "-")}.json`);
await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
console.log(values.json ? JSON.stringify(report) : renderLines(lines));
process.exitCode = lines.some(({ met }) => met === false) ? 1 : 0;
