/**
 * The end of a run is one statement: status, settlement, events, and the answer to a parent that waits.
 * Every way to end a run is an UPDATE of `runs r` named `ended` in front of these parts.
 */

/** Whether anyone has subscribed to events of the run's organization. */
export const LISTENS = `EXISTS (SELECT FROM event_endpoints x WHERE x.organization_id = r.organization_id AND x.enabled)`;

export const NOW = `(SELECT millrace_now())`;

/** What is told of the run, for RETURNING behind an UPDATE of `runs r`. `more` is JSON of what the row does not know. */
export const runEvent = (type: string, more = "NULL") => `run_event_of(r, ${type}, r.event_seq, ${more})`;

/** The event that ends the run; `error` is SQL. */
export const endEvent = (error: string) =>
  runEvent(
    `'run.' || lower(r.status)`,
    `CASE WHEN ${error} IS NOT NULL THEN json_build_object('error', ${error}) END`,
  );

const endingColumns = (
  events: string,
) => `process_id = NULL, deadline_at = NULL, completed_at = ${NOW}, updated_at = ${NOW},
  active_ms = r.active_ms + coalesce(greatest(0, extract(epoch FROM ${NOW} - r.claimed_at) * 1000), 0)::bigint,
  event_seq = r.event_seq + ${events}`;

/** What every ending sets; `status`, `epoch` and the condition are the caller's. */
export const ENDING_COLUMNS = endingColumns(`(${LISTENS})::integer`);

/** The same where `a.listens` knows already whether anyone does. */
export const ENDING_COLUMNS_IF_LISTENS = endingColumns("a.listens::integer");

/** What was copied from another run has the epoch 0, and was paid for there. */
const NODES_SAVED = `(SELECT count(*) FROM run_nodes n WHERE n.organization_id = r.organization_id AND n.run_id = r.id AND n.epoch > 0)::integer`;

/** What `ended` returns; each of the parts is SQL. `cost` is the number of nodes that ran. */
export const endedColumns = ({
  output = "NULL::json",
  error = "NULL::json",
  nodes = "NULL::json",
  cost = NODES_SAVED,
  listens = LISTENS,
}: {
  output?: string;
  error?: string;
  nodes?: string;
  cost?: string;
  listens?: string;
} = {}) => `r.organization_id, r.id, r.status, r.parent_run_id, r.parent_node_key, r.completed_at, ${listens} AS listens,
         ${output} AS output, ${error} AS error, ${nodes} AS nodes, ${cost} AS cost,
         CASE WHEN ${listens} THEN ${endEvent(error)} END AS event`;

/**
 * Behind an UPDATE of run_waits named `answered`: its runs go on, and who listens hears of it. In front of that the
 * caller has locked these runs as `held` (organization_id, run_id, status): a run that is just being paused is waited
 * for and then seen as PAUSED, so that the answer wakes it.
 */
export const AFTER_ANSWERED = `
resumed AS (
  UPDATE runs r SET status = 'WAITING', stage = 'queued', priority = 1, updated_at = ${NOW}, event_seq = r.event_seq + (${LISTENS})::integer
    FROM answered a JOIN held h USING (organization_id, run_id)
   WHERE r.organization_id = h.organization_id AND r.id = h.run_id AND h.status = 'PAUSED'
  RETURNING r.organization_id, ${LISTENS} AS listens, ${runEvent("'run.resumed'")} AS event
), resumed_told AS (
  INSERT INTO event_batches (organization_id, created_at, run_events)
  SELECT r.organization_id, ${NOW}, array_agg(r.event) FROM resumed r WHERE r.listens GROUP BY 1
)`;

/** Of `ended` rows with output, error and nodes. */
export const INSERT_RESULTS = `
  INSERT INTO run_results (organization_id, run_id, output, error, nodes)
  SELECT e.organization_id, e.id, e.output, e.error, e.nodes FROM ended e
   WHERE e.output IS NOT NULL OR e.error IS NOT NULL OR e.nodes IS NOT NULL`;

const afterEnded = (eventsBefore = "") => `
results AS (${INSERT_RESULTS}
), settled AS (
  INSERT INTO credit_entries (organization_id, id, kind, amount, run_id, created_at)
  SELECT e.organization_id, 'settle_' || e.id, 'settle', c.reserved - e.cost, e.id, ${NOW}
    FROM ended e CROSS JOIN LATERAL (
      SELECT -x.amount AS reserved FROM credit_entries x
       WHERE x.organization_id = e.organization_id AND x.run_id = e.id AND x.kind = 'reserve') c
), told AS (
  INSERT INTO event_batches (organization_id, created_at, run_events)
  SELECT e.organization_id, ${NOW}, ${eventsBefore}array_agg(e.event) FROM ended e WHERE e.listens GROUP BY 1
), orphaned AS (
  -- Canceled by whoever comes next: a statement that locked parents and children would stand in the way of children that end.
  INSERT INTO run_cancellations (organization_id, run_id)
  SELECT w.organization_id, w.child_run_id FROM ended e JOIN run_waits w ON w.organization_id = e.organization_id AND w.run_id = e.id
   WHERE w.child_run_id IS NOT NULL AND w.answered_at IS NULL AND w.on_parent_end = 'cancel'
  ON CONFLICT DO NOTHING
), held AS (
  SELECT p.organization_id, p.id AS run_id, p.status
    FROM ended e JOIN runs p ON p.organization_id = e.organization_id AND p.id = e.parent_run_id
   WHERE e.parent_run_id IS NOT NULL ORDER BY p.organization_id, p.id FOR UPDATE OF p
), answered AS (
  UPDATE run_waits w SET answered_at = ${NOW},
         answer = json_build_object('runId', e.id, 'status', e.status, 'output', e.output, 'error', e.error)
    FROM ended e JOIN held h ON h.organization_id = e.organization_id AND h.run_id = e.parent_run_id
   WHERE w.organization_id = h.organization_id AND w.run_id = h.run_id
     AND w.child_run_id = e.id AND w.answered_at IS NULL
  RETURNING w.organization_id, w.run_id
), ${AFTER_ANSWERED}`;

/** Behind `ended`, which returns `endedColumns`. */
export const AFTER_ENDED = afterEnded();

/** Where a queue item ends with its run, it has an event of its own, before the run's. */
export const ENDED_IN_QUEUE = {
  columns: endingColumns(`2 * (${LISTENS})::integer`),
  returned: `${endedColumns()}, run_event_of(r, 'queue.item_canceled', r.event_seq - 1, NULL) AS item_event`,
  after: afterEnded(`array_agg(e.item_event) || `),
};
