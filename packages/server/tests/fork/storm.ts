import { startLoopbackServer } from "../support/loopback-server.ts";
import { EFFECTS, MAIN_FLOW, REST } from "./storm-flow.ts";

export interface StormReceiver {
  readonly url: string;
  /** Effects that were answered well since they were last taken, in order. */
  take(token: string): string[];
  /** The next call of this effect fails. */
  failOnce(token: string, effect: string): void;
  close(): Promise<void>;
}

export async function startStormReceiver(): Promise<StormReceiver> {
  const done = new Map<string, string[]>();
  const failing = new Set<string>();
  const server = await startLoopbackServer((request, response) => {
    const [, token = "", effect = ""] = (request.url ?? "").split("/");
    if (failing.delete(`${token}/${effect}`)) {
      response.writeHead(500).end();
      return;
    }
    done.set(token, [...(done.get(token) ?? []), effect]);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ effect }));
  });
  return {
    url: server.url,
    take: (token) => {
      const effects = done.get(token) ?? [];
      done.delete(token);
      return effects;
    },
    failOnce: (token, effect) => void failing.add(`${token}/${effect}`),
    close: () => server.close(),
  };
}

interface StormService {
  begin(flowId: string, body: object): Promise<string>;
  fork(runId: string, body: object): Promise<string>;
  /** Resolves to the status it ended with. */
  untilEnd(runId: string): Promise<string>;
  readonly db: Queryable;
}

export interface StormOptions {
  readonly service: StormService;
  readonly receiver: StormReceiver;
  readonly forks: number;
  readonly atOnce: number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Workers are killed meanwhile: an effect under way then may be repeated. */
  readonly mayRepeat?: boolean;
}

/**
 * Forks runs at random nodes, forks of forks among them, and compares what the receiver was sent with what a table says
 * that each fork executes. Half of them first fail at a random effect and are retried: over both runs every effect
 * happens once. Returns what was wrong.
 */
export async function forkStorm(options: StormOptions): Promise<string[]> {
  const faults: string[] = [];
  const { forks, atOnce } = options;
  const perLine = Math.ceil(forks / atOnce);
  await Promise.all(
    Array.from({ length: atOnce }, async (_, line) => {
      const count = Math.min(perLine, Math.max(0, forks - line * perLine));
      await forkLine(options, `t${line}`, count, (fault) => faults.push(fault));
    }),
  );
  return faults;
}

async function forkLine(
  { service, receiver, random, mayRepeat = false }: StormOptions,
  token: string,
  count: number,
  onFault: (fault: string) => void,
): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const compare = (what: string, expected: readonly string[]) => {
    const seen = receiver.take(token);
    const isSame = mayRepeat
      ? new Set(seen).size === new Set(expected).size && expected.every((effect) => seen.includes(effect))
      : seen.toSorted().join() === expected.toSorted().join();
    if (!isSame) onFault(`${what}: expected ${expected.toSorted().join()}, got ${seen.toSorted().join()}`);
  };
  let runId = "";
  for (let done = 0; done < count; done += 1) {
    if (runId === "" || random() < 0.5) {
      const failing = pick(EFFECTS);
      receiver.failOnce(token, failing);
      const first = await service.begin(MAIN_FLOW, { payload: { data: { token } } });
      const status = await service.untilEnd(first);
      if (status !== "FAILED") onFault(`${first} ended ${status} with ${failing} failing`);
      runId = await service.fork(first, {});
      const retried = await service.untilEnd(runId);
      if (retried !== "COMPLETED") onFault(`${runId}, the retry of ${first}, ended ${retried}`);
      const ended = await endedEffects(service.db, first);
      const seen = receiver.take(token);
      // What was under way when the first one failed was stopped, and may have arrived all the same.
      for (const effect of EFFECTS) {
        const times = seen.filter((one) => one === effect).length;
        if (times < 1 || (times > 1 && ended.has(effect) && !mayRepeat))
          onFault(
            `${effect} happened ${times} times in ${first}, which failed at ${failing}, and its retry ${runId}`,
          );
      }
    } else {
      const from = pick(Object.keys(REST));
      const fork = await service.fork(runId, { from });
      const status = await service.untilEnd(fork);
      if (status !== "COMPLETED") onFault(`${fork}, forked from ${from} of ${runId}, ended ${status}`);
      compare(`fork ${fork} of ${runId} from ${from}`, REST[from]!);
      runId = fork;
    }
  }
}

interface Queryable {
  query(sql: string, values?: unknown[]): Promise<{ rows: readonly Record<string, unknown>[] }>;
}

/** Of a run and its sub-flows: what has a record of having ended well. */
async function endedEffects(db: Queryable, runId: string): Promise<ReadonlySet<unknown>> {
  const { rows } = await db.query(
    `SELECT k.record->'output'->'body'->>'effect' AS effect FROM runs r CROSS JOIN LATERAL run_records(r.organization_id, r.id) k
      WHERE $1 IN (r.id, r.parent_run_id) AND k.record->>'status' = 'COMPLETED' AND k.record->>'type' = 'http-request'`,
    [runId],
  );
  return new Set(rows.map(({ effect }) => effect));
}

/** What must hold of every fork that is stored. Returns what does not. */
export async function checkForks(db: Queryable): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, sql] of Object.entries(CHECKS))
    for (const row of (await db.query(sql)).rows) faults.push(`${what}: ${JSON.stringify(row)}`);
  return faults;
}

const CHECKS = {
  "a copied value is not byte-equal": `
    SELECT n.run_id, n.node_key FROM run_nodes n JOIN run_forks f USING (organization_id, run_id)
     WHERE n.epoch = 0 AND n.record::text NOT LIKE '%"status":"EXECUTING"%' AND n.record::text NOT LIKE '%was given when the run%'
       AND n.record::text IS DISTINCT FROM (SELECT o.record::text FROM run_records(f.organization_id, f.from_run_id) o WHERE o.node_key = n.node_key)`,
  "a run was not settled once, by what it has executed itself": `
    SELECT r.id, r.status, c.spent, k.ended FROM runs r JOIN organizations o ON o.id = r.organization_id AND o.credits_limited
     CROSS JOIN LATERAL (SELECT -sum(amount) AS spent, count(*) AS entries FROM credit_entries c WHERE c.run_id = r.id) c
     CROSS JOIN LATERAL (
       SELECT count(DISTINCT k.key) AS ended FROM (
         SELECT n.node_key AS key, n.record FROM run_nodes n WHERE n.run_id = r.id AND n.epoch > 0
         UNION ALL
         SELECT v->>'nodeKey', v FROM run_results x CROSS JOIN json_array_elements(x.nodes) AS v WHERE x.run_id = r.id
       ) k WHERE k.record->>'status' IN ('COMPLETED', 'FAILED')) k
     WHERE r.completed_at IS NOT NULL AND (c.entries <> 2 OR (r.status <> 'CANCELED' AND c.spent <> k.ended))`,
  "there are records, or a fork, of a run that does not exist": `
    SELECT run_id FROM run_nodes n WHERE NOT EXISTS (SELECT FROM runs r WHERE r.id = n.run_id)
    UNION SELECT run_id FROM run_forks f WHERE NOT EXISTS (SELECT FROM runs r WHERE r.id = f.run_id)`,
};
