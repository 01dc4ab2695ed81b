import { createHash } from "node:crypto";
import { callbackify } from "node:util";
import { LRUCache } from "lru-cache";
import { Agent, buildConnector, type Dispatcher } from "undici";
import type { AddressGuard } from "../address-guard.ts";
import type { HttpCredential } from "./guarded-http.ts";
import { countPieces } from "./pieces.ts";
import { isOpenPort, portOf } from "./url.ts";

const maxAgents = 500;
const idleConnectionMs = 4_000;
const maxResponseHeaderBytes = 32 * 1024;

export interface AgentLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly connectionsPerOrigin: number;
}

/**
 * Kept connections, never shared between organizations or credentials. Idle connections close by themselves;
 * of the agents, the one unused for longest goes when there are too many.
 */
export class GuardedAgents {
  readonly #agents = new LRUCache<string, Dispatcher>({
    max: maxAgents,
    // Lets its running requests end.
    dispose: (agent, _, reason) => {
      if (reason === "evict") void agent.close();
    },
  });
  readonly #guard: AddressGuard;
  readonly #limits: AgentLimits;

  constructor(guard: AddressGuard, limits: AgentLimits) {
    this.#guard = guard;
    this.#limits = limits;
  }

  get(organizationId: string, credential: HttpCredential | undefined): Dispatcher {
    const key = keyOf(organizationId, credential);
    const known = this.#agents.get(key);
    if (known) return known;
    const agent = this.#open(organizationId, credential !== undefined);
    this.#agents.set(key, agent);
    return agent;
  }

  async destroy(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  #open(organizationId: string, withCredential: boolean): Dispatcher {
    return new Agent({
      connect: guardedConnector(this.#guard, organizationId, this.#limits.connectMs, withCredential),
      connections: this.#limits.connectionsPerOrigin,
      allowH2: false,
      maxHeaderSize: maxResponseHeaderBytes,
      headersTimeout: this.#limits.headersMs,
      // The whole exchange has its own limit.
      bodyTimeout: 0,
      keepAliveTimeout: idleConnectionMs,
      keepAliveMaxTimeout: idleConnectionMs,
    }).compose(countPieces);
  }
}

function keyOf(organizationId: string, credential: HttpCredential | undefined): string {
  if (credential === undefined) return organizationId;
  const { name, value } = credential.header;
  return `${organizationId} ${createHash("sha256").update(`${name}\n${value}`).digest("base64")}`;
}

function guardedConnector(
  guard: AddressGuard,
  organizationId: string,
  timeoutMs: number,
  withCredential: boolean,
): buildConnector.connector {
  const startTls = buildConnector({ allowH2: false, timeout: timeoutMs });
  const openSocket = callbackify((host: string, port: number, onlyPrivate: boolean) =>
    guard.connect({ host, organizationId, port, timeoutMs, onlyAllowListed: !isOpenPort(port), onlyPrivate }),
  );
  return (options, callback) => {
    const onlyPrivate = withCredential && options.protocol !== "https:";
    openSocket(options.hostname, portOf(options), onlyPrivate, (error, socket) => {
      if (error) callback(error, null);
      else if (options.protocol === "https:") startTls({ ...options, httpSocket: socket }, callback);
      else callback(null, socket.setNoDelay(true));
    });
  };
}
