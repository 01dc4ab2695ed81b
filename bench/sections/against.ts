import type { Figure } from "../support/figures.ts";
import type { Bench, Section } from "../support/section.ts";
import { type Installation, install } from "../support/service.ts";
import {
  compareThroughput,
  describeCpu,
  medianRound,
  type Target,
  type Throughput,
} from "../support/throughput.ts";
import { flow, organization, ORGANIZATION, THREE_NODES, trigger } from "../support/workspace.ts";
import { TWELVE, WITH_EFFECTS } from "./nodes.ts";

const CONNECTIONS = 128;
const FLOWS = [
  { id: "flow_three", name: "3 pure nodes", nodes: THREE_NODES },
  { id: "flow_twelve", name: "12 nodes", nodes: TWELVE },
  { id: "flow_effects", name: "12 nodes, 3 effects", nodes: WITH_EFFECTS },
];
/** A change may cost three percent. */
const LEAST_RATE = 0.97;
const MOST_CPU = 1.03;

const STARTS = 3;

/**
 * Both in one PostgreSQL, seconds apart: on a shared machine two runs of the benchmark cannot be compared, and many short
 * rounds say more than a few long ones. Both are started several times: what V8 happens to compile first makes one process
 * a tenth faster than another of the same code for as long as it lives.
 */
export const against: Section = {
  name: "against",
  summary:
    "the same flows compared with another checkout (--against <checkout>), taking turns; best with --seconds 2 --rounds 30",
  run: async (bench) => {
    const before = await installed(bench, "before", bench.against);
    const after = await installed(bench, "after");
    const measured = FLOWS.map(({ id, name }) => ({ id, name, rounds: [] as (readonly Throughput[])[] }));
    const roundsEach = Math.ceil(bench.rounds / STARTS);
    for (let start = 1; start <= STARTS; start++) {
      bench.progress(`start ${start} of ${STARTS}`);
      const processes = [await before.start(), await after.start()];
      for (const { id, rounds } of measured) {
        const targets = processes.map(({ target }) => target(id));
        const some = { ...bench, rounds: roundsEach };
        rounds.push(...(await compareThroughput(some, targets)));
      }
      for (const { stop } of processes) await stop();
    }
    const figures = measured.flatMap(({ name, rounds }): Figure[] => [
      rate(name, rounds),
      ...cpu(name, rounds),
    ]);
    for (const { service } of [before, after]) {
      const statements = await bench.cluster.topStatements(service.database, 25);
      if (statements) bench.progress(`statements of ${service.database.name}:\n${statements}`);
      await service.remove();
    }
    return figures;
  },
};

interface Started {
  target(flowId: string): Target;
  stop(): Promise<void>;
}

async function installed(
  { cluster, profileDirectory }: Bench,
  name: string,
  checkout?: string,
): Promise<{ service: Installation; start(): Promise<Started> }> {
  const service = await install(cluster, name, { profileDirectory, checkout });
  await service.apply([
    organization(ORGANIZATION),
    ...FLOWS.map(({ id, nodes }) => flow(ORGANIZATION, id, nodes)),
  ]);
  const key = await service.createKey(ORGANIZATION);
  return {
    service,
    start: async () => {
      const started = await service.start("start");
      const target = (flowId: string) => ({
        name: `${name} ${flowId}`,
        ...started,
        pool: service.database.pool,
        request: trigger(flowId, key),
        connections: CONNECTIONS,
      });
      return { target, stop: () => started.child.stop() };
    },
  };
}

function rate(name: string, rounds: readonly (readonly Throughput[])[]): Figure {
  const [first, other] = medianRound(rounds, 1);
  return {
    name: `completed runs, ${name}`,
    unit: "/s",
    service: other.completedPerSecond,
    reference: first.completedPerSecond,
    bar: { least: LEAST_RATE },
  };
}

/** Of the process and its database together; nothing where the system does not tell. */
function cpu(name: string, rounds: readonly (readonly Throughput[])[]): Figure[] {
  if (rounds.flat().some(({ cpuPerRun }) => cpuPerRun === undefined)) return [];
  const inAll = ({ cpuPerRun }: Throughput) => cpuPerRun!.processMs + cpuPerRun!.postgresMs;
  const [before, after] = medianRound(rounds, 1, inAll);
  return [
    {
      name: `CPU per run, ${name}`,
      unit: "ms",
      service: inAll(after),
      reference: inAll(before),
      bar: { most: MOST_CPU },
      note: `before ${describeCpu(before.cpuPerRun)}; after ${describeCpu(after.cpuPerRun)}`,
    },
  ];
}
