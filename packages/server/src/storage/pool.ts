import { Pool as PgPool, types } from "pg";
import { readLargeJsonInTurn } from "./large-json.ts";
import { withLargeMessages } from "./large-messages.ts";
import type { Connection } from "./primary-client.ts";
import { endDeclarations, type Queryable, statement } from "./statement.ts";

/** A pool or a client inside a transaction: whatever a storage operation is asked to run on. It takes declared statements alone. */
export type Db = Queryable;

export interface Pool extends Db {
  connect(): Promise<Session>;
  end(): Promise<void>;
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** A connection of one's own, until it is released; `true` closes it. */
interface Session extends Db {
  release(close?: boolean): void;
}

// Timestamps travel as Date; 64-bit counters of ours never pass 2^53.
types.setTypeParser(types.builtins.INT8, Number);

export interface PoolOptions {
  readonly connection: Connection;
  readonly size: number;
  readonly applicationName: string;
  /** How long an answer is awaited before the database counts as unavailable. */
  readonly answerTimeoutMs?: number;
  readonly onError?: (error: Error) => void;
}

export function createPool({
  connection,
  size,
  applicationName,
  answerTimeoutMs = 12_000,
  onError,
}: PoolOptions): PgPool {
  endDeclarations();
  const pool = new PgPool({
    connectionTimeoutMillis: 2_000,
    ...connection,
    Client: withLargeMessages(connection.Client),
    max: size,
    application_name: applicationName,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    query_timeout: answerTimeoutMs,
    options:
      "-c statement_timeout=10s -c lock_timeout=3s -c idle_in_transaction_session_timeout=10s -c timezone=UTC",
  });
  // A pool that is being closed has said good-bye; that the other side hung up first is no news.
  const report = (error: Error): void => {
    if (!pool.ending) onError?.(error);
  };
  pool.on("error", report);
  // Without a listener of its own a client whose connection drops while checked out ends the process.
  pool.on("connect", (client) => {
    client.on("error", report);
    readLargeJsonInTurn(client);
  });
  return pool;
}

export const BEGIN = statement({ text: `BEGIN` });
export const COMMIT = statement({ text: `COMMIT` });
export const ROLLBACK = statement({ text: `ROLLBACK` });

/** Runs `work` in one transaction; the client goes back clean or not at all. */
export async function transaction<T>(pool: Pool, work: (client: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(BEGIN());
    const result = await work(client);
    await client.query(COMMIT());
    client.release();
    return result;
  } catch (error) {
    // A database that is gone rolls back by itself; asking it would only wait once more.
    if (isDatabaseUnavailable(error)) client.release(true);
    else {
      await client.query(ROLLBACK()).then(
        () => client.release(),
        () => client.release(true),
      );
    }
    throw error;
  }
}

const UNAVAILABLE_CODES = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "25006",
  "53100",
  "55P03",
  "57014",
]);

/** Whether an error says "the database cannot be used right now" rather than "this statement is wrong". */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code;
  if (code !== undefined && (UNAVAILABLE_CODES.has(code) || code.startsWith("08"))) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end/.test(
    error.message,
  );
}
