/**
 * The end of a run is one statement: status, settlement, events, and the answer to a parent that waits.
 * Every way to end a run is an UPDATE named `ended` in front of these parts.
 */

/** Whether anyone has subscribed to events of the run's organization. */
export const LISTENS = `EXISTS (SELECT FROM event_endpoints x WHERE x.organization_id = r.organization_id AND x.enabled)`;

export const NOW = `(SELECT millrace_now())`;

const endingColumns = (
  events: string,
) => `process_id = NULL, deadline_at = NULL, completed_at = ${NOW}, updated_at = ${NOW},
  active_ms = r.active_ms + coalesce(greatest(0, extract(epoch FROM ${NOW} - r.claimed_at) * 1000), 0)::bigint,
  event_seq = r.event_seq + ${events}`;

/** What every ending sets; `status`, `epoch` and the condition are the caller's. */
export const ENDING_COLUMNS = endingColumns(`(${LISTENS})::integer`);

/** The same where `a.listens` knows already whether anyone does. */
export const ENDING_COLUMNS_IF_LISTENS = endingColumns("a.listens::integer");

/** What is told of the row `row` of `runs`; only events that end a run have `completed` and `error`. */
export const runEvent = (
  row: string,
  type: string,
  {
    completed = "NULL",
    error = "NULL",
    waits = "NULL",
  }: { completed?: string; error?: string; waits?: string } = {},
) => `ROW(${type}, ${row}.id, ${row}.event_seq, ${row}.flow_id, ${row}.version, ${row}.status, ${row}.trigger_source, ${row}.tags, ${row}.is_test,
  ${row}.attempt, ${row}.parent_run_id, ${row}.started_at, ${completed}, ${error}, ${waits})::run_event`;

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
  RETURNING r.*, ${LISTENS} AS listens
), resumed_told AS (
  INSERT INTO event_batches (organization_id, created_at, run_events)
  SELECT r.organization_id, ${NOW}, array_agg(${runEvent("r", "'run.resumed'")}) FROM resumed r WHERE r.listens GROUP BY 1
)`;

/** Of `ended` rows with output, error and nodes. */
export const INSERT_RESULTS = `
  INSERT INTO run_results (organization_id, run_id, output, error, nodes)
  SELECT e.organization_id, e.id, e.output, e.error, e.nodes FROM ended e
   WHERE e.output IS NOT NULL OR e.error IS NOT NULL OR e.nodes IS NOT NULL`;

/** The event that ends the run in `row`. */
export const endEvent = (row: string, error: string) =>
  runEvent(row, `'run.' || lower(${row}.status)`, { completed: `${row}.completed_at`, error });

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
  SELECT e.organization_id, ${NOW}, ${eventsBefore}array_agg(${endEvent("e", "e.error")}) FROM ended e WHERE e.listens GROUP BY 1
), held AS (
  SELECT p.organization_id, p.id AS run_id, p.status
    FROM ended e JOIN runs p ON p.organization_id = e.organization_id AND p.id = e.parent_run_id
   WHERE e.parent_run_id IS NOT NULL ORDER BY p.organization_id, p.id FOR UPDATE OF p
), answered AS (
  UPDATE run_waits w SET answered_at = ${NOW},
         answer = json_build_object('runId', e.id, 'status', e.status, 'output', e.output, 'error', e.error)
    FROM ended e JOIN held h ON h.organization_id = e.organization_id AND h.run_id = e.parent_run_id
   WHERE w.organization_id = h.organization_id AND w.run_id = h.run_id
     AND w.node_key = e.parent_node_key AND w.answered_at IS NULL
  RETURNING w.organization_id, w.run_id
), ${AFTER_ANSWERED}`;

/** `ended` returns r.*, listens, output, error, nodes (json or NULL) and cost (nodes that ran). */
export const AFTER_ENDED = afterEnded();

/** Where a queue item ends with its run, it has an event of its own, before the run's. */
export const ENDED_IN_QUEUE = {
  columns: endingColumns(`2 * (${LISTENS})::integer`),
  after: afterEnded(`array_agg(ROW('queue.item_canceled', e.id, e.event_seq - 1, e.flow_id, NULL, 'canceled',
         NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)::run_event) || `),
};
