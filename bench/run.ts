import { mkdir, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { complaints, stopChildren } from "./support/children.ts";
import { startCluster } from "./support/cluster.ts";
import { type Figure, isMet, measureOf, renderFigures } from "./support/figures.ts";
import { against } from "./sections/against.ts";
import { crash } from "./sections/crash.ts";
import { fork } from "./sections/fork.ts";
import { latency } from "./sections/latency.ts";
import { limited } from "./sections/limited.ts";
import { lists } from "./sections/lists.ts";
import { neighbour } from "./sections/neighbour.ts";
import { nodes } from "./sections/nodes.ts";
import { overload, overloadOfCores } from "./sections/overload.ts";
import { queue } from "./sections/queue.ts";
import { runs } from "./sections/runs.ts";
import { streams } from "./sections/streams.ts";
import { validate } from "./sections/validate.ts";
import { webhooks } from "./sections/webhooks.ts";
import { why } from "./sections/why.ts";

const sections = [
  validate,
  runs,
  limited,
  nodes,
  latency,
  streams,
  lists,
  queue,
  why,
  fork,
  crash,
  webhooks,
  neighbour,
  overload,
  overloadOfCores,
  against,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
    json: { type: "boolean", default: false },
    profile: { type: "boolean", default: false },
    against: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !sections.some((section) => section.name === name));
const lacksCheckout = positionals.includes(against.name) && values.against === undefined;
if (values.help || unknown.length > 0 || lacksCheckout) {
  const lines = sections.map(({ name, summary }) => `  ${name.padEnd(16)}${summary}`);
  console.error(
    `npm run bench -- [section …] [--seconds 8] [--rounds 3] [--json] [--profile] [--against <checkout>]\n\n${lines.join("\n")}`,
  );
  process.exit(values.help ? 0 : 1);
}

const results = join(import.meta.dirname, "results");
await mkdir(results, { recursive: true });
const startedAt = new Date();
const cluster = await startCluster({ statements: values.profile });
const stop = async (): Promise<void> => {
  await stopChildren();
  await cluster.stop();
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(1)));
}

const figures: (Figure & { section: string })[] = [];
try {
  for (const section of sections) {
    if (positionals.length > 0 && !positionals.includes(section.name)) continue;
    if (section === against && values.against === undefined) continue;
    console.error(`${section.name}: ${section.summary}`);
    const measured = await section.run({
      cluster,
      seconds: Number(values.seconds),
      rounds: Number(values.rounds),
      profileDirectory: values.profile ? results : undefined,
      against: values.against && resolve(values.against),
      progress: (text) => console.error(`  ${text}`),
    });
    figures.push(...measured.map((figure) => ({ section: section.name, ...figure })));
  }
} catch (error) {
  console.error(complaints());
  throw error;
} finally {
  await stop();
}

const report = {
  startedAt,
  machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem(), node: process.version },
  figures: figures.map((figure) => ({ ...figure, measure: measureOf(figure), met: isMet(figure) })),
};
const file = join(results, `${startedAt.toISOString().replaceAll(":", "-")}.json`);
await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
console.log(values.json ? JSON.stringify(report) : renderFigures(figures));
if (!figures.every(isMet)) process.exitCode = 1;
