import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startNode } from "./children.ts";
import type { Cluster } from "./cluster.ts";
import { freePort } from "./free-port.ts";
import { install } from "./service.ts";
import type { BenchProcess, Installation } from "./service.ts";

const REFERENCE = fileURLToPath(import.meta.resolve("../reference.ts"));

export interface Reference extends BenchProcess {
  readonly database: Installation["database"];
  remove(): Promise<void>;
}

/** The bare reference on a database of its own: tables with the same columns, and primary keys alone. */
export async function startReference(cluster: Cluster, name: string): Promise<Reference> {
  const { database, remove } = await install(cluster, name);
  const { pool } = database;
  for (const [table, key] of [
    ["runs", "id"],
    ["run_payloads", "run_id"],
    ["run_results", "run_id"],
  ]) {
    await pool.query(`ALTER TABLE ${table} RENAME TO full_${table}`);
    await pool.query(
      `CREATE TABLE ${table} (LIKE full_${table} INCLUDING DEFAULTS, PRIMARY KEY (organization_id, ${key})) WITH (fillfactor = 80)`,
    );
  }
  await pool.query(`ALTER TABLE runs ALTER holds_slot DROP NOT NULL`);
  const port = await freePort();
  const child = startNode(REFERENCE, [database.url, String(port)]);
  await once(child.process.stdout!, "data");
  return {
    port,
    child,
    database,
    remove: async () => {
      await child.stop();
      await remove();
    },
  };
}
