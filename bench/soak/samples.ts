import { readdir, readFile } from "node:fs/promises";
import type { Pool } from "pg";
import { residentBytes } from "../support/memory.ts";

const MB = 1e6;

/** How the installation was at one moment. */
export interface Sample {
  readonly atMs: number;
  readonly rssMb: number;
  /** Objects, living or not yet collected. */
  readonly heapMb: number;
  /** What is not V8's heap: buffers, code of libraries, the allocator's own. */
  readonly outsideHeapMb: number;
  /** The sandbox's processes together. */
  readonly childrenRssMb: number;
  readonly openFiles: number;
  readonly connections: number;
  readonly deadPercent: number;
  readonly tablesMb: number;
  readonly indexesMb: number;
  readonly waiting: number;
  readonly runs: number;
}

const DATABASE = `
  SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'bench')::int AS connections,
         (SELECT coalesce(100.0 * sum(n_dead_tup) / nullif(sum(n_live_tup + n_dead_tup), 0), 0) FROM pg_stat_user_tables)::float8 AS "deadPercent",
         (SELECT sum(pg_table_size(relid)) / 1e6 FROM pg_stat_user_tables)::float8 AS "tablesMb",
         (SELECT sum(pg_indexes_size(relid)) / 1e6 FROM pg_stat_user_tables)::float8 AS "indexesMb",
         (SELECT count(*) FROM runs WHERE status = 'WAITING')::int AS waiting,
         (SELECT n_tup_ins FROM pg_stat_user_tables WHERE relname = 'runs')::int AS runs`;

/** Tables of some size in which much is dead: there vacuum does not keep up. */
const DEAD_TABLES = `
  SELECT relname AS name, round(100.0 * n_dead_tup / (n_live_tup + n_dead_tup)) AS percent
    FROM pg_stat_user_tables WHERE n_live_tup + n_dead_tup > 10000 AND n_dead_tup > 0.2 * (n_live_tup + n_dead_tup)`;

export async function takeSample(pid: number, port: number, pool: Pool): Promise<Sample> {
  const [rss, heap, children, openFiles, database] = await Promise.all([
    residentBytes(pid),
    heapOf(port),
    childrenOf(pid),
    readdir(`/proc/${pid}/fd`).then((files) => files.length),
    pool.query(DATABASE),
  ]);
  const childrenRss = await Promise.all(children.map((child) => residentBytes(child)));
  return {
    atMs: performance.now(),
    rssMb: rss / MB,
    heapMb: heap.usedBytes / MB,
    outsideHeapMb: (rss - heap.totalBytes) / MB,
    childrenRssMb: childrenRss.reduce((sum, bytes) => sum + (bytes || 0), 0) / MB,
    openFiles,
    ...database.rows[0],
  };
}

export async function deadTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; percent: number }>(DEAD_TABLES);
  return rows.map(({ name, percent }) => `${name} ${percent} %`);
}

/** What the database is busy with or waits for right now, the most frequent first. */
export async function waitsOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ line: string }>(
    `SELECT count(*) || ' × ' || coalesce(wait_event_type || ' ' || wait_event, 'busy') || ' in ' ||
            CASE WHEN backend_type = 'client backend' THEN left(regexp_replace(query, '\\s+', ' ', 'g'), 40) ELSE backend_type END AS line
       FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND (state = 'active' OR (state IS NULL AND wait_event_type IS DISTINCT FROM 'Activity'))
      GROUP BY wait_event_type, wait_event, backend_type, query ORDER BY count(*) DESC LIMIT 8`,
  );
  return rows.map(({ line }) => line).join("; ") || "nothing";
}

async function heapOf(port: number): Promise<{ usedBytes: number; totalBytes: number }> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const valueOf = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)`, "m").exec(metrics)?.[1] ?? Number.NaN);
  return {
    usedBytes: valueOf("nodejs_heap_size_used_bytes"),
    totalBytes: valueOf("nodejs_heap_size_total_bytes"),
  };
}

async function childrenOf(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return listed.trim() === "" ? [] : listed.trim().split(" ").map(Number);
}
