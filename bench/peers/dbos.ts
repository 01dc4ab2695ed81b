import { freePort } from "../support/free-port.ts";
import { startApp } from "./app.ts";
import type { Peer } from "./peer.ts";
import { PACKAGES } from "./versions.ts";

/** As many as Millrace has, for its API and its engine together. */
const POOL_SIZE = "20";

export const dbos: Peer = {
  name: "dbos",
  summary: "DBOS: a workflow of 3 steps, result awaited",
  packages: PACKAGES.dbos,
  bar: 8,
  async prepare({ cluster, packages }) {
    const { pool, url } = await cluster.createDatabase("dbos");
    return {
      start: async () => {
        const port = await freePort();
        const child = await startApp(packages, "dbos.mjs", {
          PORT: String(port),
          DATABASE_URL: url,
          POOL_SIZE,
        });
        return {
          port,
          request: { method: "POST", path: "/", body: { name: "Ada" } },
          countCompleted: async () => {
            const { rows } = await pool.query(
              `SELECT count(*) FROM dbos.workflow_status WHERE status = 'SUCCESS'`,
            );
            return Number(rows[0].count);
          },
          analyze: async () => void (await pool.query("ANALYZE")),
          stop: () => child.stop(),
        };
      },
    };
  },
};
