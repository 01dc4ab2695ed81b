import type { Server } from "node:http";
import type { Socket } from "node:net";
import { clientNetwork } from "../domain/client-network.ts";
import { FairShare } from "../domain/fair-share.ts";
import { hangUp } from "./client-error.ts";

export interface SharedConnectionsOptions {
  readonly max: number;
  /** With where it came from. */
  readonly onRefused: (network: string) => void;
}

/**
 * Nobody has to prove anything to open a connection, and each takes memory and one of the files that the system lets the
 * process have: PostgreSQL, child processes and calls need those too. So there are only so many at once, and the networks
 * that they come from share them. Behind a proxy everybody comes from one, which gets three quarters.
 */
export class SharedConnections {
  readonly #share: FairShare;
  readonly #onRefused: (network: string) => void;

  constructor({ max, onRefused }: SharedConnectionsOptions) {
    this.#share = new FairShare(max);
    this.#onRefused = onRefused;
  }

  get open(): number {
    return this.#share.used;
  }

  share(server: Server, makeRequestId: () => string): void {
    server.on("connection", (socket: Socket) => {
      const network = clientNetwork(socket.remoteAddress);
      if (!this.#share.take(network)) {
        this.#onRefused(network);
        hangUp(socket, "service_unavailable", makeRequestId());
        return;
      }
      socket.once("close", () => this.#share.giveBack(network));
    });
  }
}
