import type { Pool } from "pg";

/**
 * What the product does not keep because it needs it only once: every move of every run, every write of a checkpoint,
 * and who made it. Each process has a database role of its own, so `session_user` names the writer; the time is read
 * while the row is locked, so for one run the order is the order of its moves.
 */
const SCHEMA = `
CREATE SCHEMA chaos;
CREATE TABLE chaos.run_history (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL, transaction xid8 NOT NULL, writer text NOT NULL,
  organization_id text, run_id text, old_status text, new_status text, old_stage text, new_stage text, old_epoch integer,
  new_epoch integer, process_id uuid, due_at timestamptz, deadline_at timestamptz);
CREATE TABLE chaos.node_history (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL, transaction xid8 NOT NULL, writer text NOT NULL,
  action text, run_id text, node_key text, epoch integer, type text, status text, handle text, attempts integer);

CREATE FUNCTION chaos.keep_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.run_history (at, transaction, writer, organization_id, run_id, old_status, new_status, old_stage, new_stage,
                                 old_epoch, new_epoch, process_id, due_at, deadline_at)
  VALUES (clock_timestamp(), pg_current_xact_id(), session_user, coalesce(NEW.organization_id, OLD.organization_id), coalesce(NEW.id, OLD.id),
          OLD.status, coalesce(NEW.status, 'DELETED'), OLD.stage, NEW.stage, OLD.epoch, NEW.epoch, NEW.process_id, NEW.due_at, NEW.deadline_at);
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_keeps AFTER INSERT OR UPDATE OR DELETE ON runs FOR EACH ROW EXECUTE FUNCTION chaos.keep_run();

CREATE FUNCTION chaos.keep_node() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.node_history (at, transaction, writer, action, run_id, node_key, epoch, type, status, handle, attempts)
  VALUES (clock_timestamp(), pg_current_xact_id(), session_user, TG_OP, coalesce(NEW.run_id, OLD.run_id),
          coalesce(NEW.node_key, OLD.node_key), coalesce(NEW.epoch, OLD.epoch), NEW.record->>'type',
          NEW.record->>'status', NEW.record->>'handle', (NEW.record->>'attempts')::integer);
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_keeps AFTER INSERT OR UPDATE OR DELETE ON run_nodes FOR EACH ROW EXECUTE FUNCTION chaos.keep_node();

-- A slow disk, table by table: it widens the moment between looking and committing, in which races happen.
CREATE TABLE chaos.slowness (target text PRIMARY KEY, seconds float8 NOT NULL);
CREATE FUNCTION chaos.be_slow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_sleep(s.seconds) FROM chaos.slowness s WHERE s.target = TG_TABLE_NAME;
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_slows BEFORE INSERT ON run_nodes FOR EACH STATEMENT EXECUTE FUNCTION chaos.be_slow();
CREATE TRIGGER chaos_slows AFTER INSERT OR UPDATE ON runs FOR EACH STATEMENT EXECUTE FUNCTION chaos.be_slow();`;

/** Into the run's own database; the product knows nothing of it. */
export async function installRecorder(pool: Pool): Promise<void> {
  await pool.query(SCHEMA);
}

/** One password for all: the processes are told apart, not kept apart. */
export async function createWriterRole(pool: Pool, name: string): Promise<void> {
  const { rows } = await pool.query(`SELECT rolpassword FROM pg_authid WHERE rolname = current_user`);
  await pool.query(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD '${rows[0].rolpassword}'`);
}

export async function setSlowness(
  pool: Pool,
  target: "runs" | "run_nodes",
  seconds: number | undefined,
): Promise<void> {
  await pool.query(`DELETE FROM chaos.slowness WHERE target = $1`, [target]);
  if (seconds !== undefined)
    await pool.query(`INSERT INTO chaos.slowness VALUES ($1, $2)`, [target, seconds]);
}

export interface RunMove {
  readonly seq: number;
  readonly atMs: number;
  readonly transaction: string;
  readonly writer: string;
  readonly organizationId: string;
  readonly runId: string;
  readonly oldStatus: string | null;
  readonly newStatus: string;
  readonly oldStage: string | null;
  readonly newStage: string;
  readonly oldEpoch: number | null;
  readonly newEpoch: number;
  readonly processId: string | null;
  readonly dueMs: number | null;
}

const MILLISECONDS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

export async function readRunMoves(pool: Pool, afterSeq = 0): Promise<RunMove[]> {
  const { rows } = await pool.query(
    `SELECT seq, ${MILLISECONDS("at")} AS "atMs", transaction::text, writer, organization_id AS "organizationId", run_id AS "runId",
            old_status AS "oldStatus", new_status AS "newStatus", old_stage AS "oldStage", new_stage AS "newStage", old_epoch AS "oldEpoch",
            new_epoch AS "newEpoch", process_id AS "processId", ${MILLISECONDS("due_at")} AS "dueMs"
       FROM chaos.run_history WHERE seq > $1 ORDER BY seq`,
    [afterSeq],
  );
  return rows;
}

export interface NodeWrite {
  readonly atMs: number;
  readonly transaction: string;
  readonly writer: string;
  readonly action: "INSERT" | "UPDATE" | "DELETE";
  readonly runId: string;
  readonly nodeKey: string;
  readonly epoch: number;
  /** Of the record, as all that follows; nothing where it was deleted. */
  readonly type: string | null;
  readonly status: string | null;
  readonly handle: string | null;
  readonly attempts: number | null;
}

export async function readNodeWrites(pool: Pool): Promise<NodeWrite[]> {
  const { rows } = await pool.query(
    `SELECT ${MILLISECONDS("at")} AS "atMs", transaction::text, writer, action, run_id AS "runId", node_key AS "nodeKey", epoch,
            type, status, handle, attempts
       FROM chaos.node_history ORDER BY seq`,
  );
  return rows;
}
