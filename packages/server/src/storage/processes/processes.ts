import { json } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

export interface ProcessRow {
  readonly id: string;
  readonly lockKey: number;
  readonly role: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
}

const HEARTBEAT = statement({
  name: "heartbeat",
  text: `
WITH alive AS (
  INSERT INTO processes (id, lock_key, role, host, pid, version) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (id) DO UPDATE SET heartbeat_at = millrace_now()
)
SELECT (SELECT coalesce(json_agg(json_build_object('organizationId', organization_id, 'id', id, 'epoch', epoch,
                                                   'settled', claimed_at < millrace_now() - interval '5 seconds')), '[]')
          FROM runs WHERE process_id = $1 AND status = 'EXECUTING') AS owned`,
  columns: {
    /** Runs the database believes this process executes; `settled` ones have been claimed some seconds ago. */
    owned: json<
      readonly {
        readonly organizationId: string;
        readonly id: string;
        readonly epoch: number;
        readonly settled: boolean;
      }[]
    >(),
  },
});

export type Heartbeat = Row<typeof HEARTBEAT>;

/** Says "alive" and hears what this process owns. One statement, so that the two belong to one moment. */
export async function heartbeat(db: Db, process: ProcessRow): Promise<Heartbeat> {
  const { rows } = await db.query(
    HEARTBEAT([process.id, process.lockKey, process.role, process.host, process.pid, process.version]),
  );
  return rows[0]!;
}

const LEAVE = statement({
  text: `DELETE FROM processes WHERE id = $1`,
});

export async function leave(db: Db, processId: string): Promise<void> {
  await db.query(LEAVE([processId]));
}

const FORGET_PROCESSES = statement({
  text: `DELETE FROM processes p WHERE heartbeat_at < millrace_now() - interval '1 hour'
        AND NOT EXISTS (SELECT FROM runs r WHERE r.process_id = p.id AND r.status = 'EXECUTING')`,
});

/** Rows of processes that are long gone and own nothing. */
export async function forgetProcesses(db: Db): Promise<void> {
  await db.query(FORGET_PROCESSES());
}
