import { freePort } from "../support/free-port.ts";
import { startApp } from "./app.ts";
import type { Peer } from "./peer.ts";
import { PACKAGES } from "./versions.ts";

const POOL_SIZE = "20";

/** A job that is done is deleted, so the record of what was done is the counter behind the ids less what is still there. */
const DONE = `
  SELECT coalesce((SELECT last_value FROM pg_sequences WHERE schemaname = 'graphile_worker' AND sequencename LIKE '%jobs_id_seq%'), 0)
         - (SELECT count(*) FROM graphile_worker.jobs) AS count`;

export const graphileWorker: Peer = {
  name: "graphile-worker",
  summary: "graphile-worker: one job; no flow, no trace, no history",
  packages: PACKAGES["graphile-worker"],
  async prepare({ cluster, packages }) {
    const { pool, url } = await cluster.createDatabase("graphile_worker");
    return {
      start: async () => {
        const port = await freePort();
        const env = { PORT: String(port), DATABASE_URL: url, POOL_SIZE };
        const child = await startApp(packages, "graphile-worker.mjs", env);
        return {
          port,
          request: { method: "POST", path: "/", body: { name: "Ada" } },
          countCompleted: async () => Number((await pool.query(DONE)).rows[0].count),
          note: async () => "answered when accepted; a job that is done is deleted",
          analyze: async () => void (await pool.query("ANALYZE")),
          stop: () => child.stop(),
        };
      },
    };
  },
};
