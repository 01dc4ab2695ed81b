import type { Socket } from "node:net";
// oxlint-disable-next-line no-restricted-imports -- somebody else's database, not ours: it never meets storage/
import { Client, DatabaseError } from "pg";
import { limitBytes } from "./child-bytes.ts";
import { maxResultBytes, Statement, tooLarge } from "./child-statement.ts";
import { startPostgresTls } from "./child-tls.ts";
import { cancelGraceMs, ForeignFault, type PostgresCall } from "./messages.ts";

const statementTimeoutMs = 60_000;
const connectTimeoutMs = 10_000;
/** Besides the result: greetings, parameters, notices. */
const maxOtherBytes = 250_000;

/** One statement on a connection of its own. Parameters never become part of the text. */
export async function queryPostgres(
  call: PostgresCall,
  socket: Socket,
  signal: AbortSignal,
): Promise<string> {
  const statement = new Statement(call.text, call.parameters);
  // It is refused before anybody waits for it where the server says too much too early.
  statement.result.catch(() => {});
  let client: Client | undefined;
  const stopCanceling = cancelOnAbort(call, socket, signal, () => client);
  try {
    const stream = await securedSocket(call, socket);
    limitBytes(stream, maxResultBytes + maxOtherBytes, () => statement.refuse(tooLarge()));
    client = clientOn(stream, call);
    await client.connect();
    await client.query(`SET statement_timeout = ${statementTimeoutMs}`);
    client.query(statement as never);
    const result = await statement.result;
    // A farewell, not waited for.
    void client.end().catch(() => {});
    return result;
  } catch (error) {
    throw faultOf(error, statement, signal);
  } finally {
    stopCanceling();
  }
}

async function securedSocket({ tls, host }: PostgresCall, socket: Socket): Promise<Socket> {
  if (tls === "off") return socket;
  const slow = setTimeout(() => socket.destroy(), connectTimeoutMs);
  try {
    return await startPostgresTls(socket, host, tls === "verified");
  } finally {
    clearTimeout(slow);
  }
}

/** Everything the driver would otherwise take from the environment or from files is stated here. */
function clientOn(stream: Socket, { host, user, password, database }: PostgresCall): Client {
  // The driver wants to connect its socket itself; this one was connected, and checked, by the service.
  stream.connect = () => {
    process.nextTick(() => stream.emit("connect"));
    return stream;
  };
  const client = new Client({
    host,
    user,
    password: () => password,
    database,
    ssl: false,
    application_name: "millrace",
    connectionTimeoutMillis: connectTimeoutMs,
    stream: () => stream,
  });
  // A lost connection fails the query as well.
  client.on("error", () => {});
  return client;
}

/** Asks the server to stop, and breaks the connection when it does not: without its end nothing is committed. */
function cancelOnAbort(
  call: PostgresCall,
  socket: Socket,
  signal: AbortSignal,
  client: () => Client | undefined,
): () => void {
  let breakOff: NodeJS.Timeout | undefined;
  const onAbort = () => {
    const cancelSocket = signal.reason as Socket | undefined;
    const { processID, secretKey } = (client() ?? {}) as { processID?: number; secretKey?: number };
    if (!cancelSocket || !processID || !secretKey) return void socket.destroy();
    breakOff = setTimeout(() => socket.destroy(), cancelGraceMs);
    void sendCancelRequest(call, cancelSocket, processID, secretKey);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  return () => {
    clearTimeout(breakOff);
    signal.removeEventListener("abort", onAbort);
  };
}

async function sendCancelRequest(call: PostgresCall, socket: Socket, processId: number, secretKey: number) {
  const slow = setTimeout(() => socket.destroy(), cancelGraceMs);
  try {
    const stream = await securedSocket(call, socket);
    const message = Buffer.alloc(16);
    message.writeInt32BE(16, 0);
    message.writeInt32BE(80_877_102, 4);
    message.writeInt32BE(processId, 8);
    message.writeInt32BE(secretKey, 12);
    stream.end(message);
    stream.resume();
  } catch {
    clearTimeout(slow);
    socket.destroy();
  }
}

function faultOf(error: unknown, statement: Statement, signal: AbortSignal): ForeignFault {
  if (error instanceof ForeignFault) return error;
  // A connection that was ended because of what came over it: that is the reason to tell.
  if (statement.fault) return statement.fault;
  if (error instanceof DatabaseError) {
    const canceled = signal.aborted && error.code === "57014";
    return canceled ? rolledBack() : databaseFault(error);
  }
  if (statement.committing) {
    const message =
      "The connection to the database was lost while the statement was committed; outcome: unknown.";
    return new ForeignFault("DatabaseUnavailable", message);
  }
  if (signal.aborted) return rolledBack();
  return new ForeignFault("DatabaseUnavailable", "The connection to the database failed or was lost.");
}

function rolledBack(): ForeignFault {
  return new ForeignFault("RequestCanceled", "The statement was canceled and rolled back.");
}

const maxMessageLength = 2_000;
/** Conflicts between transactions, no room or a lock that was not free, a server that starts or stops: nothing was changed. */
const passingStates = /^(40|53|55P03|57P0[123])/;

function databaseFault({ code, message }: DatabaseError): ForeignFault {
  if (code === "57014")
    return new ForeignFault("QueryTimeout", `The query took longer than ${statementTimeoutMs / 1000} s.`);
  if (code?.startsWith("28"))
    return new ForeignFault("DatabaseRefused", "The database refused the credential.");
  const state = code?.slice(0, 5) ?? "unknown";
  return new ForeignFault(
    passingStates.test(state) ? "DatabaseBusy" : "QueryFailed",
    `${message.slice(0, maxMessageLength)} (SQLSTATE ${state})`,
  );
}
