import { randomBytes } from "node:crypto";
import { Client, type ClientConfig } from "pg";
import { inject } from "vitest";
import type { Pool } from "pg";
import { createPool } from "../../src/storage/pool.ts";

/** Takes any SQL; tests ask what the service does not. */
export type RawDb = Pick<Pool, "query">;

export interface TestDatabase {
  readonly connection: ClientConfig;
  readonly pool: Pool;
  drop(): Promise<void>;
}

/** It only bounds hanging: a machine without time keeps connections waiting for longer than the service would. */
const CONNECT_MS = 60_000;

/** A database of one's own: migrated and empty, or without any table. */
export async function createTestDatabase(
  poolSize = 10,
  template: "millrace_template" | "template0" = "millrace_template",
): Promise<TestDatabase> {
  const server = inject("postgres");
  const database = `test_${randomBytes(6).toString("hex")}`;
  await asAdmin(server, `CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const connection = { ...server, database, connectionTimeoutMillis: CONNECT_MS };
  const pool = createPool({ connection, size: poolSize, applicationName: "test" });
  return {
    connection,
    pool,
    drop: async () => {
      await pool.end();
      await asAdmin(server, `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

async function asAdmin(connection: ClientConfig, sql: string): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
