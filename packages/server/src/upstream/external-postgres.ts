import type { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
// oxlint-disable-next-line no-restricted-imports -- somebody else's database, not ours: it never meets storage/
import { Client, DatabaseError, Query } from "pg";
import { readPostgresValue } from "./postgres-values.ts";
import { destroyOnAbort, type SocketDialer } from "./socket-dialer.ts";
import { UpstreamError } from "./upstream-error.ts";

const STATEMENT_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_ROWS = 10_000;
const MAX_BYTES = 5_000_000;

export interface ExternalQuery {
  readonly connectionString: string;
  readonly text: string;
  readonly parameters: readonly unknown[];
  readonly signal: AbortSignal;
}

export interface ExternalRows {
  readonly rows: Record<string, unknown>[];
  readonly rowCount: number;
}

/** One statement on a connection of its own. Parameters never become part of the text. */
export async function queryExternalPostgres(dial: SocketDialer, query: ExternalQuery): Promise<ExternalRows> {
  const { signal } = query;
  const target = readConnectionString(query.connectionString);
  const socket = await dial.connect({ host: target.host, port: target.port, signal });
  const stopListening = destroyOnAbort(socket, signal);
  const client = new Client({ ...target, stream: () => alreadyConnected(socket) });
  // A lost connection rejects the query as well; without a listener it would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(`SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    return await readRows(client, socket, query);
  } catch (error) {
    throw postgresFailure(error);
  } finally {
    stopListening();
    await client.end().catch(() => {});
    socket.destroy();
  }
}

/** Everything the driver would otherwise take from the environment or from files of the service is stated here. */
function readConnectionString(connectionString: string) {
  const url = URL.parse(connectionString);
  const user = decodeURIComponent(url?.username ?? "");
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === "" || user === "") {
    throw new UpstreamError(
      "CredentialInvalid",
      "The credential's connectionString has to look like postgres://user:password@host:5432/database.",
    );
  }
  const password = decodeURIComponent(url.password);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || 5432),
    user,
    password: () => password,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    ssl: sslOf(url.searchParams.get("sslmode")),
    application_name: "millrace",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  };
}

function sslOf(sslMode: string | null): false | ConnectionOptions {
  switch (sslMode ?? "disable") {
    case "disable":
      return false;
    case "require":
      return { rejectUnauthorized: false };
    case "verify-full":
      return { rejectUnauthorized: true };
    default:
      throw new UpstreamError(
        "CredentialInvalid",
        "The connectionString's sslmode is disable, require or verify-full.",
      );
  }
}

/** The driver wants to connect its socket itself; this one was connected, and checked, by the dialer. */
function alreadyConnected(socket: Socket): Socket {
  socket.connect = () => {
    process.nextTick(() => socket.emit("connect"));
    return socket;
  };
  return socket;
}

function readRows(
  client: Client,
  socket: Socket,
  { text, parameters }: ExternalQuery,
): Promise<ExternalRows> {
  const { promise, resolve, reject } = Promise.withResolvers<ExternalRows>();
  const rows: Record<string, unknown>[] = [];
  const stop = (message: string) => {
    reject(new UpstreamError("ResultTooLarge", message));
    socket.destroy();
  };
  // Bytes are counted as they arrive: one huge value would fill the memory before it became a row.
  let receivedBytes = 0;
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.on("data", (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > MAX_BYTES) stop("The query returned more than 5 MB. Select less.");
  });
  // The extended protocol takes one statement only, with or without parameters.
  const config = {
    text,
    values: parameters.map(asParameter),
    queryMode: "extended",
    types: { getTypeParser: readPostgresValue },
  };
  const query = client.query(new Query<Record<string, unknown>>(config));
  query.on("row", (row) => {
    rows.push(JSON.parse(JSON.stringify(row)) as Record<string, unknown>);
    if (rows.length > MAX_ROWS) stop("The query returned more than 10,000 rows. Add a LIMIT.");
  });
  query.on("end", ({ rowCount }) => resolve({ rows, rowCount: rowCount ?? rows.length }));
  query.on("error", reject);
  return promise;
}

/** Lists and objects go as JSON text, which PostgreSQL reads as json, jsonb or text. */
function asParameter(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

function postgresFailure(error: unknown): Error {
  if (error instanceof UpstreamError) return error;
  if (!(error instanceof DatabaseError)) {
    return new UpstreamError("DatabaseUnavailable", "The connection to the database failed or was lost.");
  }
  if (error.code === "57014") {
    return new UpstreamError("QueryTimeout", `The query took longer than ${STATEMENT_TIMEOUT_MS / 1000} s.`);
  }
  if (error.code?.startsWith("28"))
    return new UpstreamError("DatabaseRefused", "The database refused the credential.");
  return new UpstreamError("QueryFailed", `${error.message} (SQLSTATE ${error.code ?? "unknown"})`);
}
