import type { Bench, Section } from "../support/section.ts";
import { type BenchProcess, type Installation, install } from "../support/service.ts";
import {
  compareThroughput,
  medianRound,
  rateFigure,
  type Target,
  type Throughput,
} from "../support/throughput.ts";
import { flow, organization, ORGANIZATION, THREE_NODES, trigger } from "../support/workspace.ts";

const CONNECTIONS = 64;
const FLOW = "flow_three";
const NO_WEBHOOK_LIMITS = {
  MILLRACE_WEBHOOK_REQUESTS_PER_10S: "0",
  MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S: "0",
};
/** Nobody listens on the port of `discard`. */
const DEAD_ENDPOINT = {
  kind: "EventEndpoint",
  id: "dead",
  organizationId: ORGANIZATION,
  url: "http://127.0.0.1:9/events",
  events: ["*"],
};

interface Side {
  readonly service: Installation;
  readonly process: BenchProcess;
  readonly key: string;
}

export const webhooks: Section = {
  name: "webhooks",
  summary: "the inbound webhook beside the trigger, and the engine with an endpoint that is down",
  async run(bench) {
    // One installation for each, so that none has more runs behind it than the others.
    const quiet = await startSide(bench, "webhooks_quiet", []);
    const posted = await startSide(bench, "webhooks_posted", []);
    const listening = await startSide(bench, "webhooks_listening", [DEAD_ENDPOINT]);
    try {
      const rounds = await compareThroughput(bench, [
        triggerTarget("trigger", quiet),
        await webhookTarget("webhook", posted),
        triggerTarget("trigger, dead endpoint", listening),
      ]);
      const [triggered, received] = medianRound(rounds, 1, ({ load }) => load.perSecond);
      bench.progress(await waitingEvents(listening));
      const statements = await bench.cluster.topStatements(listening.service.database, 25);
      if (statements) bench.progress(`statements with a dead endpoint:\n${statements}`);
      return [
        acceptFigure(received, triggered),
        rateFigure("completed runs with a dead endpoint, of those without endpoints", rounds, 2, 0.9),
      ];
    } finally {
      for (const { service } of [quiet, posted, listening]) await service.remove();
    }
  },
};

async function startSide(
  { cluster, profileDirectory }: Bench,
  name: string,
  more: readonly object[],
): Promise<Side> {
  const service = await install(cluster, name, { profileDirectory });
  const document = { ...flow(ORGANIZATION, FLOW, THREE_NODES), webhook: { enabled: true } };
  await service.apply([organization(ORGANIZATION), document, ...more]);
  const key = await service.createKey(ORGANIZATION);
  return { service, key, process: await service.start("start", NO_WEBHOOK_LIMITS) };
}

function triggerTarget(name: string, { service, process, key }: Side): Target {
  return {
    name,
    ...process,
    pool: service.database.pool,
    request: trigger(FLOW, key),
    connections: CONNECTIONS,
  };
}

async function webhookTarget(name: string, { service, process }: Side): Promise<Target> {
  const { url } = JSON.parse(await service.cli("webhooks", "show", "--flow", FLOW, "--json")) as {
    url: string;
  };
  const request = { method: "POST", path: new URL(url).pathname, body: { name: "Ada" } };
  return { name, ...process, pool: service.database.pool, request, connections: CONNECTIONS };
}

function acceptFigure(posted: Throughput, triggered: Throughput) {
  return {
    name: "webhook posts accepted, of triggers accepted",
    unit: "/s",
    service: posted.load.perSecond,
    reference: triggered.load.perSecond,
    bar: { least: 0.5 },
  };
}

async function waitingEvents({ service }: Side): Promise<string> {
  const { rows } = await service.database.pool.query(
    `SELECT (SELECT sum(cardinality(run_events)) FROM event_batches) AS events, (SELECT count(*) FROM event_deliveries) AS tried`,
  );
  return `the dead endpoint has ${rows[0].events} events waiting, ${rows[0].tried} of them tried`;
}
