import type { Pool } from "../pool.ts";
import { transaction } from "../pool.ts";
import { textArray } from "../text-array.ts";
import { affordChildren } from "./afford-children.ts";
import { LISTENS, NOW, runEvent } from "./ending.ts";
import { recordText, type RecordToStore } from "./record-text.ts";

/** A node that waits for something. */
export interface Wait {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly kind: "wait" | "approval" | "run-flow";
  readonly message?: string;
  readonly dueAt?: Date;
  /** The run that is started for a `run-flow` node. */
  readonly child?: ChildRun;
  /** Known at once: a child that is not waited for, or one that cannot be started. */
  readonly answer?: unknown;
}

interface ChildRun {
  readonly id: string;
  readonly flowId: string;
  readonly version: string;
  readonly depth: number;
  readonly maxDurationMs: number;
  readonly credits: number;
  readonly data: unknown;
  readonly trigger: unknown;
}

export interface Pause {
  readonly organizationId: string;
  readonly id: string;
  readonly epoch: number;
  readonly records: readonly RecordToStore[];
  readonly waits: readonly Wait[];
}

/**
 * Parks a run: its slot is free, its children stand at the head of the queue. False where it had changed hands.
 * Where something it waits for has been answered meanwhile it goes on at once: the run's row is locked first and
 * looked at afterwards, and whoever answers locks it too, so no answer can fall in between.
 */
export async function pauseRun(
  pool: Pool,
  { organizationId, id, epoch, records, waits: wanted }: Pause,
): Promise<boolean> {
  return transaction(pool, async (client) => {
    const waits = await affordChildren(client, { organizationId, id }, wanted);
    const paused = await client.query(
      `WITH paused AS (
         UPDATE runs r SET status = 'PAUSED', epoch = r.epoch + 1, process_id = NULL, deadline_at = NULL, updated_at = ${NOW},
                active_ms = r.active_ms + greatest(0, extract(epoch FROM ${NOW} - r.claimed_at) * 1000)::bigint,
                event_seq = r.event_seq + (${LISTENS})::integer
          WHERE r.organization_id = $1 AND r.id = $2 AND r.epoch = $3 AND r.status = 'EXECUTING'
         RETURNING r.organization_id, r.id, ${LISTENS} AS listens, ${runEvent("'run.paused'", "json_build_object('waits', $6::json)")} AS event
       ), kept AS (
         INSERT INTO run_nodes (organization_id, run_id, node_key, epoch, record)
         SELECT p.organization_id, p.id, n.node_key, $3, n.record::json
           FROM paused p CROSS JOIN unnest($4::text[], $5::text[]) AS n(node_key, record)
         ON CONFLICT DO NOTHING
       ), told AS (
         INSERT INTO event_batches (organization_id, created_at, run_events)
         SELECT p.organization_id, ${NOW}, ARRAY[p.event] FROM paused p WHERE p.listens
       )
       SELECT FROM paused`,
      [
        organizationId,
        id,
        epoch,
        records.map(({ nodeKey }) => nodeKey),
        textArray(records.map(recordText)),
        JSON.stringify(waits.map(({ nodeKey, nodeId, kind, dueAt }) => ({ nodeKey, nodeId, kind, dueAt }))),
      ],
    );
    if (paused.rowCount === 0) return false;
    await client.query(
      `WITH gone AS (
         DELETE FROM run_waits WHERE organization_id = $1 AND run_id = $2 AND node_key <> ALL($3::text[])
       )
       INSERT INTO run_waits (organization_id, run_id, node_key, node_id, kind, message, due_at, child_run_id, answer, answered_at, created_at)
       SELECT $1, $2, w.node_key, w.node_id, w.kind, w.message, w.due_at, w.child_run_id, w.answer::json,
              CASE WHEN w.answer IS NOT NULL THEN ${NOW} END, ${NOW}
         FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[], $9::text[])
              AS w(node_key, node_id, kind, message, due_at, child_run_id, answer)
       ON CONFLICT DO NOTHING`,
      [
        organizationId,
        id,
        waits.map(({ nodeKey }) => nodeKey),
        waits.map(({ nodeId }) => nodeId),
        waits.map(({ kind }) => kind),
        waits.map(({ message }) => message ?? null),
        waits.map(({ dueAt }) => dueAt ?? null),
        waits.map(({ child }) => child?.id ?? null),
        waits.map(({ answer }) => (answer === undefined ? null : JSON.stringify(answer))),
      ],
    );
    const children = waits.flatMap(({ nodeKey, child }) => (child ? [{ nodeKey, child }] : []));
    for (const { nodeKey, child } of children) {
      // Only for waits that are new: a run that pauses a second time has its children already.
      await client.query(
        `WITH parent AS (
           SELECT r.* FROM runs r JOIN run_waits w ON w.organization_id = r.organization_id AND w.run_id = r.id
            WHERE r.organization_id = $1 AND r.id = $2 AND w.node_key = $3 AND w.child_run_id = $4
         ), made AS (
           INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, priority, max_duration_ms,
                             trigger_source, is_test, parent_run_id, parent_node_key, depth, credits, updated_at)
           SELECT p.organization_id, $4, $5, $6, 'WAITING', 'queued', false, 1, $7, 'subflow', p.is_test, p.id, $3, $8,
                  (SELECT CASE WHEN o.credits_limited THEN $9::integer ELSE 0 END FROM organizations o WHERE o.id = p.organization_id), ${NOW}
             FROM parent p
           ON CONFLICT DO NOTHING RETURNING organization_id, id
         ), reserved AS (
           INSERT INTO credit_entries (organization_id, id, kind, amount, run_id, created_at)
           SELECT m.organization_id, 'reserve_' || m.id, 'reserve', -$9::integer, m.id, ${NOW}
             FROM made m JOIN organizations o ON o.id = m.organization_id AND o.credits_limited
         )
         INSERT INTO run_payloads (organization_id, run_id, data, trigger) SELECT m.organization_id, m.id, $10::json, $11::json FROM made m`,
        [
          organizationId,
          id,
          nodeKey,
          child.id,
          child.flowId,
          child.version,
          child.maxDurationMs,
          child.depth,
          child.credits,
          JSON.stringify(child.data),
          JSON.stringify(child.trigger),
        ],
      );
    }
    await client.query(
      `UPDATE runs r SET status = 'WAITING', stage = 'queued', priority = 1, updated_at = ${NOW}
        WHERE r.organization_id = $1 AND r.id = $2 AND r.status = 'PAUSED'
          AND EXISTS (SELECT FROM run_waits w WHERE w.organization_id = $1 AND w.run_id = $2 AND w.answered_at IS NOT NULL)`,
      [organizationId, id],
    );
    return true;
  });
}
