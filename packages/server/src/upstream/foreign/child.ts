import { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { startChild } from "../../children/child-side.ts";
import {
  ForeignFault,
  timeoutNames,
  type ChildMessage,
  type ChildOutcome,
  type ChildRequest,
  type ForeignCall,
} from "./messages.ts";

/*
 * The process that speaks with servers nobody vouches for, through libraries that trust what they read. It serves one
 * credential of one organization. Whatever a server does to it ends at its own edge: an exception ends the process, a
 * loop or too much memory is ended by the watchdog, and the service tells its callers so.
 */
type CallRequest = Extract<ChildRequest, { kind: "call" }>;

const calls = new Map<number, AbortController>();

startChild((request: ChildRequest, handle) => {
  const socket = handle instanceof Socket ? handle : undefined;
  socket?.on("error", () => {});
  return request.kind === "call" ? serve(request, socket) : cancel(request.id, socket);
});
// Loaded while nobody waits for it: as a rule the first call comes later.
void import("./child-postgres.ts");

async function serve(request: CallRequest, socket: Socket | undefined): Promise<void> {
  const controller = new AbortController();
  calls.set(request.id, controller);
  const outcome = await execute(request, socket, controller.signal);
  calls.delete(request.id);
  socket?.destroy();
  const message: ChildMessage = {
    kind: "reply",
    id: request.id,
    outcome,
    rssBytes: process.memoryUsage.rss(),
  };
  process.send?.(message);
}

/** The reason of the abort is the second socket, for protocols that cancel over one. */
function cancel(id: number, socket: Socket | undefined): void {
  const controller = calls.get(id);
  if (controller) controller.abort(socket);
  else socket?.destroy();
}

async function execute(
  { call, maxMs, extraCa }: CallRequest,
  socket: Socket | undefined,
  signal: AbortSignal,
): Promise<ChildOutcome> {
  const lost = {
    ok: false,
    name: "ConnectionLost",
    message: `${call.host} broke off the connection.`,
  } as const;
  if (!socket) return lost;
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    socket.destroy();
  }, maxMs);
  try {
    trust(extraCa);
    return { ok: true, valueText: await converse(call, socket, signal) };
  } catch (error) {
    if (late) return { ...lost, name: timeoutNames[call.protocol], message: `${call.host} took too long.` };
    if (!(error instanceof ForeignFault)) throw error;
    return { ...lost, name: error.name, message: error.message };
  } finally {
    clearTimeout(deadline);
  }
}

async function converse(call: ForeignCall, socket: Socket, signal: AbortSignal): Promise<string> {
  if (call.protocol === "postgres") {
    const { queryPostgres } = await import("./child-postgres.ts");
    return queryPostgres(call, socket, signal);
  }
  const { sendMail } = await import("./child-mail.ts");
  return sendMail(call, socket, signal);
}

let trusted = false;

/** The operator's certificates come from a variable of the service, and this process has none. */
function trust(extraCa: readonly string[]): void {
  if (trusted || extraCa.length === 0) return;
  trusted = true;
  setDefaultCACertificates([...getCACertificates(), ...extraCa]);
}
