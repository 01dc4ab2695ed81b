// Flows made by chance, run by the service, by `flows run` and by a small interpreter of the semantics: all must agree.
//   npm run torture -- --help
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startOwnDatabase } from "../packages/server/tests/torture/database.ts";
import { startReceiver } from "../packages/server/tests/torture/receiver.ts";
import { render } from "../packages/server/tests/torture/report.ts";
import { startKilling } from "../packages/server/tests/torture/service/killing.ts";
import { TorturedService } from "../packages/server/tests/torture/service/service.ts";
import { Torture } from "../packages/server/tests/torture/torture.ts";
import { cleanUp, cleanUpAtAnyEnd, cleanUps } from "./clean-up.ts";

const CASES_A_SEED = 1_000;

const HELP = `Runs flows made by chance in the service, in \`flows run\` and in a small interpreter of what a run means.
Statuses, outputs, records and calls at a receiver must agree. What disagrees is made small and printed as YAML.

  npm run torture -- [--minutes 5 | --cases N] [--seed 1] [--seeds 1] [--kill | --kill-half] [--dry] [--at-once 300] [--case N]

  --minutes N     how long (default 5); a new seed after every ${CASES_A_SEED} cases
  --cases N       how many cases of one seed
  --seeds N       with --cases: how many seeds, one after the other (default 1)
  --seed N        where to begin (default: by the clock); a seed repeats its cases
  --kill          kill -9 workers all the while; they are started again
  --kill-half     the same during the first half of the cases of each seed
  --dry           only \`flows run\`, without a service
  --at-once N     cases under way at once (default 300)
  --case N        only this case of the seed, as a finding names it
  --max N         stop after so many findings (default 3)
  --shrink N      seconds to make a finding small (default 120)
  --receiver PORT only the receiver, to run a printed flow by hand

Examples
  npm run torture -- --minutes 10 --kill
  npm run torture -- --cases 3334 --seed 7 --seeds 3 --kill-half
  npm run torture -- --seed 7 --case 123 --dry

Exit code 1: somebody disagreed.`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    cases: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    seeds: { type: "string", default: "1" },
    kill: { type: "boolean", default: false },
    "kill-half": { type: "boolean", default: false },
    dry: { type: "boolean", default: false },
    "at-once": { type: "string", default: "300" },
    case: { type: "string" },
    max: { type: "string", default: "3" },
    shrink: { type: "string", default: "120" },
    receiver: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const numbersGiven = [
  values.minutes,
  values.cases,
  values.seed,
  values.seeds,
  values["at-once"],
  values.case,
  values.max,
  values.shrink,
  values.receiver,
];
if (values.help || numbersGiven.some((text) => text !== undefined && !/^\d+(\.\d+)?$/.test(text))) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}

cleanUpAtAnyEnd();
try {
  await (values.receiver === undefined ? torture() : serveReceiver(Number(values.receiver)));
} finally {
  await cleanUp();
}

async function serveReceiver(port: number): Promise<void> {
  const receiver = await startReceiver({ port, takesAll: true });
  cleanUps.push(() => receiver.close());
  console.log(`Calls of any flow are answered at ${receiver.url}; Ctrl-C ends it.`);
  await sleep(2 ** 31 - 1);
}

async function torture(): Promise<void> {
  const receiver = await startReceiver();
  cleanUps.push(() => receiver.close());
  const service = values.dry ? undefined : await startService(receiver);
  const firstSeed = Number(values.seed);
  const beganMs = performance.now();
  const endMs = beganMs + Number(values.minutes ?? "5") * 60_000;
  const isTimed = values.cases === undefined && values.case === undefined;
  const seconds = () => (performance.now() - beganMs) / 1_000;
  const run = new Torture({
    receiver,
    service,
    dry: true,
    atOnce: Number(values["at-once"]),
    shrinkMs: Number(values.shrink) * 1_000,
    onFinding: (finding) => console.log(`\n${render(finding)}`),
    onCase: (done) => {
      if (done % 50 === 0) console.log(`${seconds().toFixed(0).padStart(5)} s  ${done} cases${kills()}`);
    },
  });
  const kills = () => (service ? `, ${service.processes.kills} workers killed` : "");
  const killing = async (isWanted: boolean, seed: number, work: () => Promise<void>) => {
    const killer = isWanted && service ? startKilling(service.processes, seed) : undefined;
    try {
      await work();
    } finally {
      await killer?.stop();
    }
  };
  const isOver = () => run.findings.length >= Number(values.max) || (isTimed && performance.now() > endMs);
  const lastSeed = isTimed ? Number.POSITIVE_INFINITY : firstSeed + Number(values.seeds) - 1;
  const { kill, "kill-half": killsHalf } = values;
  for (let seed = firstSeed; seed <= lastSeed && !isOver(); seed++) {
    console.log(`${seconds().toFixed(0).padStart(5)} s  seed ${seed}`);
    const [first, second] = halvesOf(isOver);
    await killing(kill || killsHalf, seed, () => run.run(seed, first));
    await killing(kill, seed, () => run.run(seed, second));
  }
  console.log(
    `${run.done} cases in ${seconds().toFixed(0)} s${kills()}; ${run.findings.length} disagreements`,
  );
  if (run.findings.length > 0) process.exitCode = 1;
}

async function startService(receiver: Awaited<ReturnType<typeof startReceiver>>): Promise<TorturedService> {
  const database = await startOwnDatabase();
  cleanUps.push(() => database.stop());
  const service = new TorturedService(database.connection, receiver);
  cleanUps.push(() => service.stop());
  await service.start();
  return service;
}

function halvesOf(isOver: () => boolean): [Iterable<number>, Iterable<number>] {
  if (values.case !== undefined) return [[Number(values.case)], []];
  const count = Number(values.cases ?? CASES_A_SEED);
  const half = Math.ceil(count / 2);
  return [numbersOf(0, half, isOver), numbersOf(half, count, isOver)];
}

function* numbersOf(from: number, to: number, isOver: () => boolean): Generator<number> {
  for (let number = from; number < to && !isOver(); number++) yield number;
}
