import type { Socket } from "node:net";

/**
 * Plain sockets for protocols other than HTTP (PostgreSQL, SMTP). The address is checked before the connection
 * is made, as it is for guarded HTTP; TLS is the business of the protocol on top.
 */
export interface SocketDialer {
  connect(target: {
    host: string;
    organizationId?: string;
    port: number;
    signal?: AbortSignal;
    timeoutMs?: number;
    /** Refuses public addresses: a secret goes over it without TLS. */
    onlyPrivate?: boolean;
    /** Nothing is read from it: it is handed to a child process, which would miss what was. */
    unread?: boolean;
  }): Promise<Socket>;
}
