import type { Pool } from "pg";
import type { EffectCall } from "./effect-server.ts";
import type { ProbeResults } from "./probes.ts";
import { type NodeWrite, readNodeWrites, readRunMoves, type RunMove } from "./recorder.ts";
import type { Samples } from "./sampler.ts";
import type { World } from "./world.ts";

export interface RunRow {
  readonly organizationId: string;
  readonly id: string;
  readonly flowId: string;
  readonly status: string;
  readonly epoch: number;
  readonly finishedEpoch: number | null;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly recoveries: number;
  readonly maxDurationMs: number;
  readonly activeMs: number;
  readonly holdsSlot: boolean;
  readonly source: string;
  readonly credits: number;
  readonly eventSeq: number;
  readonly answeredQueued: boolean;
  readonly startedMs: number | null;
  readonly completedMs: number | null;
  /** The operation whose request made it. */
  readonly op: string | null;
  /** The same of a fork, and the run it goes on from. */
  readonly forkOp: string | null;
  readonly forkedFrom: string | null;
  /** Of a schedule's run: the hash of its due time. */
  readonly dueHash: string | null;
  /** What its output says was decided. */
  readonly decision: string | null;
}

/** One message of a chat and what became of it. */
interface TurnRow {
  readonly sessionId: string;
  readonly status: string;
  readonly userText: string;
  readonly replyText: string | null;
}

interface LoggedEvent {
  readonly organizationId: string;
  readonly id: string;
  readonly type: string;
  readonly runId: string | null;
  readonly seq: number;
  readonly status: string | null;
}

interface CreditEntry {
  readonly organizationId: string;
  readonly kind: string;
  readonly amount: number;
  readonly runId: string | null;
}

/** Who was given a run, and from when on. */
export interface Owner {
  readonly epoch: number;
  readonly writer: string;
  readonly claimedMs: number;
}

/** Everything the invariants are judged by; nothing is read after this. */
export interface Evidence {
  readonly world: World;
  readonly samples: Samples;
  readonly probes: ProbeResults;
  readonly runs: ReadonlyMap<string, RunRow>;
  readonly runsOfOperation: ReadonlyMap<string, readonly RunRow[]>;
  readonly moves: ReadonlyMap<string, readonly RunMove[]>;
  readonly owners: ReadonlyMap<string, readonly Owner[]>;
  readonly nodeWrites: ReadonlyMap<string, readonly NodeWrite[]>;
  readonly calls: ReadonlyMap<string, readonly EffectCall[]>;
  /** Outputs that forks have copied. */
  readonly copies: readonly { readonly runId: string; readonly nodeKey: string; readonly isEqual: boolean }[];
  readonly events: readonly LoggedEvent[];
  readonly entries: readonly CreditEntry[];
  /** Tables of the service in which a secret was found in plain text. */
  readonly turns: readonly TurnRow[];
  /** Sessions whose stream does not count from one to its end, with what is wrong. */
  readonly brokenStreams: readonly string[];
  readonly leakyTables: readonly string[];
  readonly logs: string;
}

const RUNS = `
SELECT r.organization_id AS "organizationId", r.id, r.flow_id AS "flowId", r.status, r.epoch, r.finished_epoch AS "finishedEpoch", r.attempt,
       r.max_attempts AS "maxAttempts", r.recoveries, r.max_duration_ms AS "maxDurationMs", r.active_ms AS "activeMs",
       r.holds_slot AS "holdsSlot", r.trigger_source AS source, r.credits, r.event_seq AS "eventSeq", r.answered_queued AS "answeredQueued",
       (extract(epoch FROM r.started_at) * 1000)::float8 AS "startedMs", (extract(epoch FROM r.completed_at) * 1000)::float8 AS "completedMs",
       CASE WHEN f.run_id IS NULL THEN coalesce(p.data->>'op', p.trigger->'body'->>'op') END AS op,
       CASE WHEN f.run_id IS NOT NULL THEN r.tags[1] END AS "forkOp", f.from_run_id AS "forkedFrom",
       (SELECT encode(k.key_hash, 'hex') FROM idempotency_keys k
         WHERE k.organization_id = r.organization_id AND k.run_id = r.id AND k.scope LIKE 'schedule:%') AS "dueHash",
       o.output->>'decision' AS decision
  FROM runs r LEFT JOIN run_payloads p ON p.organization_id = r.organization_id AND p.run_id = r.id
       LEFT JOIN run_results o ON o.organization_id = r.organization_id AND o.run_id = r.id
       LEFT JOIN run_forks f ON f.organization_id = r.organization_id AND f.run_id = r.id ORDER BY r.id`;

/** Outputs that forks have copied. */
const COPIES = `
SELECT n.run_id AS "runId", n.node_key AS "nodeKey", n.record::text IS NOT DISTINCT FROM
       (SELECT o.record::text FROM run_records(n.organization_id, f.from_run_id) o WHERE o.node_key = n.node_key) AS "isEqual"
  FROM run_nodes n LEFT JOIN run_forks f ON f.organization_id = n.organization_id AND f.run_id = n.run_id
 WHERE n.epoch = 0 AND n.record->>'status' = 'COMPLETED'`;

const TURNS = `
SELECT session_id AS "sessionId", status, user_text AS "userText", reply_text AS "replyText" FROM agent_turns`;

/** The events of a session are numbered without a gap, and nothing of a turn follows its end. */
const BROKEN_STREAMS = `
SELECT session_id || ' has ' || count(*) || ' events up to number ' || max(seq) || ', ' || count(*) FILTER (WHERE follows) || ' behind an end' AS fault
  FROM (SELECT *, lag(type IN ('done', 'error')) OVER (PARTITION BY organization_id, session_id, turn ORDER BY seq) AS follows
          FROM agent_stream_events) AS e
 GROUP BY organization_id, session_id HAVING count(*) <> max(seq) OR count(*) FILTER (WHERE follows) > 0`;

const EVENTS = `
SELECT organization_id AS "organizationId", id, type, run_id AS "runId", seq, data->>'status' AS status FROM events ORDER BY position, ordinal`;

export async function gatherEvidence(
  world: World,
  parts: { samples: Samples; probes: ProbeResults; logs: string },
): Promise<Evidence> {
  const { pool } = world.postgres;
  const runs: RunRow[] = (await pool.query(RUNS)).rows;
  const moves = groupBy(await readRunMoves(pool), ({ runId }) => runId);
  return {
    ...parts,
    world,
    runs: new Map(runs.map((run) => [run.id, run])),
    runsOfOperation: groupBy(
      // A child has its parent's data but not its request.
      runs.filter(({ source, op }) => source !== "subflow" && op !== null),
      ({ op }) => op!,
    ),
    moves,
    owners: new Map([...moves].map(([runId, own]) => [runId, ownersOf(own)])),
    nodeWrites: groupBy(await readNodeWrites(pool), ({ runId }) => runId),
    calls: groupBy(world.effects.calls, ({ runId }) => runId),
    copies: (await pool.query(COPIES)).rows,
    events: (await pool.query(EVENTS)).rows,
    entries: (
      await pool.query(
        `SELECT organization_id AS "organizationId", kind, amount, run_id AS "runId" FROM credit_entries`,
      )
    ).rows,
    turns: (await pool.query(TURNS)).rows,
    brokenStreams: (await pool.query(BROKEN_STREAMS)).rows.map(({ fault }) => fault),
    leakyTables: await tablesWith(pool, "canary-secret-of-"),
  };
}

function ownersOf(moves: readonly RunMove[]): Owner[] {
  return moves
    .filter(({ newStatus, oldEpoch, newEpoch }) => newStatus === "EXECUTING" && newEpoch !== oldEpoch)
    .map(({ newEpoch, writer, atMs }) => ({ epoch: newEpoch, writer, claimedMs: atMs }));
}

async function tablesWith(pool: Pool, text: string): Promise<string[]> {
  const { rows } = await pool.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
  const found: string[] = [];
  for (const { tablename } of rows) {
    const { rowCount } = await pool.query(
      `SELECT FROM "${tablename}" AS t WHERE strpos(t::text, $1) > 0 LIMIT 1`,
      [text],
    );
    if (rowCount) found.push(tablename);
  }
  return found;
}

export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const known = groups.get(key(item));
    if (known) known.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
