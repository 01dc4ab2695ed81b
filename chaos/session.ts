import { readdir, readFile, rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWorld, type Setting } from "./build-world.ts";
import { gatherEvidence } from "./evidence.ts";
import type { ChaosOptions } from "./options.ts";
import { probeFairness, probePoison, type ProbeResults } from "./probes.ts";
import { Random } from "./random.ts";
import { isBroken, judge, type Report } from "./report.ts";
import { sample } from "./sampler.ts";
import { heal, untilDelivered, untilQuiet } from "./settle.ts";
import type { World } from "./world.ts";

export interface SessionResult {
  readonly report: Report;
  /** Kept where a promise was broken, or where it was asked for. */
  readonly directory: string | undefined;
}

/** One run of chaos, from an empty directory to the verdicts; leaves nothing behind but what it says. */
export async function runSession(
  options: ChaosOptions,
  { progress, interrupted }: { progress: (text: string) => void; interrupted: AbortSignal },
): Promise<SessionResult> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-chaos-"));
  const cleanUp: (() => Promise<unknown>)[] = [
    () => rm(join(directory, "database"), { recursive: true, force: true }),
  ];
  let keeps = true;
  try {
    const setting: Setting = { directory, progress, interrupted, cleanUp };
    // Not left half-way: what was only half started could not be stopped.
    const world = await buildWorld(setting, new Random(options.seed));
    interrupted.throwIfAborted();
    const whole = course(options, setting, world);
    // Whatever is under way when the run is interrupted ends with the processes it needs.
    whole.catch(() => {});
    const report = await Promise.race([whole, interruption(interrupted)]);
    keeps = options.keep || isBroken(report);
    return { report, directory: keeps ? directory : undefined };
  } finally {
    for (const step of cleanUp.toReversed()) await step();
    if (!keeps || interrupted.aborted) await rm(directory, { recursive: true, force: true });
  }
}

function interruption(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

async function course(options: ChaosOptions, setting: Setting, world: World): Promise<Report> {
  const { scenario, seconds, settleSeconds, seed } = options;
  const { progress, interrupted } = setting;
  const { load, fleet, faults, random } = world;

  const stopSampling = new AbortController();
  const sampled = sample(world, AbortSignal.any([stopSampling.signal, interrupted]));
  const stopLoad = new AbortController();
  const loaded = load.run(random.fork(), scenario.clients, AbortSignal.any([stopLoad.signal, interrupted]));
  const beganMs = Date.now();
  progress(`${scenario.name}: ${seconds} s of faults`);
  await scenario.run(world, beganMs + seconds * 1_000);
  stopLoad.abort();
  await loaded;
  const loadMs = Date.now() - beganMs;

  interrupted.throwIfAborted();
  const healing = faults.begin("healing", ["all"]);
  await heal(world);
  faults.end(healing);
  progress("healed; waiting for quiet");
  const quiet = await untilQuiet(world.postgres.pool, settleSeconds * 1_000);
  const probes: ProbeResults = !scenario.probes
    ? {}
    : !quiet
      ? { missing: `not probed: runs were still open ${settleSeconds} s after the last fault` }
      : {
          fairness: await probed(world, "fairness", probeFairness),
          poison: await probed(world, "poison", probePoison),
        };
  if (scenario.probes) await untilQuiet(world.postgres.pool, settleSeconds * 1_000);
  await load.finish(3_000);
  await untilDelivered(world, settleSeconds * 1_000);
  stopSampling.abort();
  const samples = await sampled;
  fleet.heal();
  interrupted.throwIfAborted();
  const evidence = await gatherEvidence(world, { samples, probes, logs: await readLogs(setting.directory) });
  return judge(evidence, { seed, scenario: scenario.name, loadMs });
}

async function probed<T>(world: World, name: string, probe: (world: World) => Promise<T>): Promise<T> {
  world.progress(`probing ${name}`);
  return probe(world);
}

async function readLogs(directory: string): Promise<string> {
  const files = await readdir(join(directory, "logs"));
  return (await Promise.all(files.map((file) => readFile(join(directory, "logs", file), "utf8")))).join("\n");
}
