import type { Figure } from "../support/figures.ts";
import type { Bench, Section } from "../support/section.ts";
import { type Installation, install } from "../support/service.ts";
import { median } from "../support/statistics.ts";
import { compareThroughput, medianRound, type Target, type Throughput } from "../support/throughput.ts";
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

/** Both in one PostgreSQL, seconds apart: on a shared machine two runs of the benchmark cannot be compared. */
export const against: Section = {
  name: "against",
  summary: "the same flows compared with another checkout (--against <checkout>), taking turns",
  run: async (bench) => {
    const before = await installed(bench, "before", bench.against);
    const after = await installed(bench, "after");
    const figures: Figure[] = [];
    for (const { id, name } of FLOWS) {
      const rounds = await compareThroughput(bench, [before.target(id), after.target(id)]);
      figures.push(rate(name, rounds), ...cpu(name, rounds));
    }
    for (const { service } of [before, after]) {
      const statements = await bench.cluster.topStatements(service.database, 25);
      if (statements) bench.progress(`statements of ${service.database.name}:\n${statements}`);
      await service.remove();
    }
    return figures;
  },
};

async function installed(
  { cluster, profileDirectory }: Bench,
  name: string,
  checkout?: string,
): Promise<{ service: Installation; target(flowId: string): Target }> {
  const service = await install(cluster, name, { profileDirectory, checkout });
  await service.apply([
    organization(ORGANIZATION),
    ...FLOWS.map(({ id, nodes }) => flow(ORGANIZATION, id, nodes)),
  ]);
  const key = await service.createKey(ORGANIZATION);
  const started = await service.start("start");
  return {
    service,
    target: (flowId) => ({
      name: `${name} ${flowId}`,
      ...started,
      pool: service.database.pool,
      request: trigger(flowId, key),
      connections: CONNECTIONS,
    }),
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
  const [before, after] = [0, 1].map((at) => {
    const costs = rounds.flatMap((round) => round[at]!.cpuPerRun ?? []);
    return {
      both: median(costs.map(({ processMs, postgresMs }) => processMs + postgresMs)),
      text: [
        median(costs.map(({ processMs }) => processMs)),
        median(costs.map(({ postgresMs }) => postgresMs)),
      ]
        .map((ms) => ms.toFixed(3))
        .join(" + "),
    };
  });
  if (Number.isNaN(before!.both)) return [];
  return [
    {
      name: `CPU per run, ${name}`,
      unit: "ms",
      service: after!.both,
      reference: before!.both,
      bar: { most: MOST_CPU },
      note: `process + PostgreSQL: ${before!.text} ms before, ${after!.text} ms after`,
    },
  ];
}
