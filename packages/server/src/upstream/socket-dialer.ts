import type { Socket } from "node:net";

/**
 * Plain sockets for protocols other than HTTP (PostgreSQL, SMTP). The address is checked before the connection
 * is made, as it is for guarded HTTP; TLS is the business of the protocol on top.
 */
export interface SocketDialer {
  connect(target: { host: string; port: number; signal?: AbortSignal }): Promise<Socket>;
}

/** Ends the connection when the signal is aborted; answers how to stop listening for it. */
export function destroyOnAbort(socket: Socket, signal: AbortSignal): () => void {
  const destroy = () => socket.destroy(new Error("aborted"));
  if (signal.aborted) destroy();
  signal.addEventListener("abort", destroy, { once: true });
  return () => signal.removeEventListener("abort", destroy);
}
