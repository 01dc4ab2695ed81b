import { boolean, integer, text, timestamp, uuid } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const MAX_PROCESSES = 1_000;

const LIST_PROCESSES = statement({
  text: `SELECT p.id, p.role, p.host, p.pid, p.version, p.started_at AS "startedAt", p.heartbeat_at AS "heartbeatAt",
            p.heartbeat_at > millrace_now() - interval '15 seconds' AS alive,
            (SELECT count(*) FROM runs r WHERE r.process_id = p.id)::integer AS runs
       FROM processes p ORDER BY p.heartbeat_at > millrace_now() - interval '15 seconds' DESC, p.started_at, p.id LIMIT ${MAX_PROCESSES}`,
  columns: {
    id: uuid,
    role: text,
    host: text,
    pid: integer,
    version: text,
    startedAt: timestamp,
    heartbeatAt: timestamp,
    alive: boolean,
    runs: integer,
  },
});

export type ListedProcess = Row<typeof LIST_PROCESSES>;

/** Living ones first; the dead are forgotten after an hour. */
export async function listProcesses(db: Db): Promise<ListedProcess[]> {
  return (await db.query(LIST_PROCESSES())).rows;
}
