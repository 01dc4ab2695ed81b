import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { measureCompletions } from "../support/completions.ts";
import { runLoad } from "../support/load.ts";
import type { Bench, Section } from "../support/section.ts";
import { install } from "../support/service.ts";
import { percentile } from "../support/statistics.ts";
import { flow, organization, THREE_NODES, trigger } from "../support/workspace.ts";
import { worstFlowDocuments, worstFlows } from "../support/worst-flows.ts";

const PER_SECOND = 20;
const IDLE_SECONDS = 15;
const ATTACK_SECONDS = 25;
const SETTLE_SECONDS = 5;
/** More than it is executed: there is always another one waiting. */
const ATTACKS_PER_SECOND = 50;
const ATTACKER = { id: "org_attacker", limits: { concurrency: 1_000, queue: 10_000 } };
const NEIGHBOUR = "org_neighbour";
const AGENT = "agent_silent";

export const neighbour: Section = {
  name: "neighbour",
  summary:
    "trigger → COMPLETED of one organization while another runs the worst flows it can write at its limit",
  run: async (bench) => {
    const silent = createServer(() => {});
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    try {
      return await measure(bench, silent);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  },
};

async function measure(bench: Bench, silent: Server) {
  const hangingUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const flows = worstFlows(hangingUrl, AGENT);
  const service = await install(bench.cluster, "neighbour", { profileDirectory: bench.profileDirectory });
  await service.apply([
    organization(NEIGHBOUR),
    flow(NEIGHBOUR, "flow_hello", THREE_NODES),
    organization(ATTACKER.id, ATTACKER.limits),
    ...worstFlowDocuments(ATTACKER.id, flows, { id: AGENT, baseUrl: `${hangingUrl}/v1` }),
  ]);
  const { port, child } = await service.start("start");
  const target = { port, flowId: "flow_hello", key: await service.createKey(NEIGHBOUR) };
  const attackerKey = await service.createKey(ATTACKER.id);

  await measureCompletions(target, { perSecond: 50, seconds: 4 });
  const idle = await measureCompletions(target, { perSecond: PER_SECOND, seconds: IDLE_SECONDS });
  bench.progress(`idle: ${describe(idle)}`);
  const attack = runLoad({
    port,
    requests: flows.map(({ name, data }) => trigger(`flow_${name}`, attackerKey, data ?? {})),
    connections: 32,
    perSecond: ATTACKS_PER_SECOND,
    seconds: SETTLE_SECONDS + ATTACK_SECONDS,
  });
  await sleep(SETTLE_SECONDS * 1000);
  const beside = await measureCompletions(target, {
    perSecond: PER_SECOND,
    seconds: ATTACK_SECONDS - 2,
  });
  bench.progress(`beside the attacker: ${describe(beside)}`);
  const { statuses } = await attack;
  const held = await service.database.pool.query<{ executing: string; waiting: string }>(
    `SELECT count(*) FILTER (WHERE status = 'EXECUTING') AS executing, count(*) FILTER (WHERE status = 'WAITING') AS waiting
       FROM runs WHERE organization_id = $1`,
    [ATTACKER.id],
  );
  const { executing, waiting } = held.rows[0]!;
  // Its runs hang for minutes: nobody waits for them.
  await child.kill();
  await service.remove();
  const figure = (percent: number) => ({
    name: `trigger → COMPLETED beside the worst flows, p${percent}`,
    unit: "ms",
    service: percentile(beside, percent),
    reference: percentile(idle, percent),
  });
  return [
    figure(50),
    {
      ...figure(99),
      bar: { most: 5 },
      note: `reference: idle; the attacker's triggers ${JSON.stringify(statuses)}, at the end ${executing} executing, ${waiting} waiting`,
    },
  ];
}

function describe(times: readonly number[]): string {
  const [p50, p99, most] = [50, 99, 100].map((percent) => percentile(times, percent).toFixed(1));
  return `p50 ${p50} ms, p99 ${p99} ms, most ${most} ms of ${times.length}`;
}
