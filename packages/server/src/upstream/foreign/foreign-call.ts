import { getCACertificates } from "node:tls";
import type { SocketDialer } from "../socket-dialer.ts";
import { UpstreamError } from "../upstream-error.ts";
import { deathError, type ForeignChild } from "./foreign-child.ts";
import { cancelGraceMs, type ChildOutcome, type ForeignCall } from "./messages.ts";

export interface ForeignRequest {
  readonly organizationId: string;
  readonly port: number;
  readonly call: ForeignCall;
  readonly signal: AbortSignal;
}

/** What the child is given beyond its own limits before it is killed: then it does not come to look at its clock. */
const wallGraceMs = 3_000;

/** One conversation: the service opens the connection, where it may, and the child talks. */
export async function converse(
  child: ForeignChild,
  dial: SocketDialer,
  { organizationId, call, port, signal }: ForeignRequest,
  maxMs: number,
): Promise<string> {
  const onlyPrivate = call.tls === "off" && hasSecret(call);
  const target = { host: call.host, organizationId, port, unread: true, onlyPrivate };
  const socket = await dial.connect({ ...target, signal });
  const { id, reply } = child.call(call, maxMs, getCACertificates("extra"), socket);
  const wall = setTimeout(() => child.kill(), maxMs + wallGraceMs);
  let cancelWall: NodeJS.Timeout | undefined;
  const onAbort = () => {
    cancelWall = setTimeout(() => child.kill(), cancelGraceMs + wallGraceMs);
    // PostgreSQL is asked to stop over a second connection; a mail is stopped by breaking off the first.
    const second =
      call.protocol === "postgres" ? dial.connect({ ...target, timeoutMs: cancelGraceMs }) : undefined;
    void Promise.resolve(second)
      .catch(() => undefined)
      .then((cancelSocket) => child.cancel(id, cancelSocket));
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return textOf(
      await Promise.race([reply, child.died.then((death) => Promise.reject(deathError(call, death)))]),
    );
  } finally {
    clearTimeout(wall);
    clearTimeout(cancelWall);
    signal.removeEventListener("abort", onAbort);
  }
}

function hasSecret(call: ForeignCall): boolean {
  return call.protocol === "postgres" || call.login !== undefined;
}

function textOf(outcome: ChildOutcome): string {
  if (!outcome.ok) throw new UpstreamError(outcome.name, outcome.message);
  return outcome.valueText;
}
