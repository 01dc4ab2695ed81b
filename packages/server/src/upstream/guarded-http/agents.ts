import { createHash } from "node:crypto";
import { callbackify } from "node:util";
import { LRUCache } from "lru-cache";
import { Agent, buildConnector, type Dispatcher } from "undici";
import type { AddressGuard } from "../address-guard.ts";
import type { HttpCredential } from "./guarded-http.ts";
import { overflowOnce } from "./overflow-once.ts";
import { paceEnd } from "./paced-end.ts";
import { countPieces } from "./pieces.ts";
import { isOpenPort, portOf } from "./url.ts";

const maxAgents = 500;
const idleConnectionMs = 4_000;
const maxResponseHeaderBytes = 32 * 1024;
/** With every connection that ends, an agent looks through all that it has: a thousand that end at once would be a million looks. */
const maxConnectionsPerAgent = 64;

export interface AgentLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly connectionsPerOrigin: number;
}

/** An agent to send one request with, and how many are under way. */
export interface AgentInUse {
  readonly dispatcher: Dispatcher;
  requests: number;
}

/**
 * Kept connections, never shared between organizations or credentials. Idle connections close by themselves;
 * of the agents, the one unused for longest goes when there are too many.
 */
export class GuardedAgents {
  readonly #agents = new LRUCache<string, AgentInUse[]>({
    max: maxAgents,
    // Lets their running requests end.
    dispose: (agents, _, reason) => {
      if (reason === "evict") for (const { dispatcher } of agents) void dispatcher.close();
    },
  });
  readonly #guard: AddressGuard;
  readonly #limits: AgentLimits;

  constructor(guard: AddressGuard, limits: AgentLimits) {
    this.#guard = guard;
    this.#limits = limits;
  }

  /** To be given back when the request is over. */
  take(organizationId: string, credential: HttpCredential | undefined): AgentInUse {
    const key = keyOf(organizationId, credential);
    const agents = this.#agents.get(key) ?? [];
    if (agents.length === 0) this.#agents.set(key, agents);
    const agent =
      agents.find(({ requests }) => requests < maxConnectionsPerAgent) ??
      this.#another(agents, organizationId, credential);
    agent.requests += 1;
    return agent;
  }

  giveBack(agent: AgentInUse): void {
    agent.requests -= 1;
  }

  async destroy(): Promise<void> {
    const agents = [...this.#agents.values()].flat();
    this.#agents.clear();
    await Promise.all(agents.map(({ dispatcher }) => dispatcher.destroy()));
  }

  /** A further one, or where there may be none, the one with the shortest queue. */
  #another(agents: AgentInUse[], organizationId: string, credential: HttpCredential | undefined): AgentInUse {
    if (agents.length * maxConnectionsPerAgent >= this.#limits.connectionsPerOrigin) {
      return agents.reduce((least, other) => (other.requests < least.requests ? other : least));
    }
    const agent = { dispatcher: this.#open(organizationId, credential !== undefined), requests: 0 };
    agents.push(agent);
    return agent;
  }

  #open(organizationId: string, withCredential: boolean): Dispatcher {
    return new Agent({
      connect: guardedConnector(this.#guard, organizationId, this.#limits.connectMs, withCredential),
      connections: Math.min(this.#limits.connectionsPerOrigin, maxConnectionsPerAgent),
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
    const paced: buildConnector.Callback = (...[error, socket]) =>
      error ? callback(error, null) : callback(null, overflowOnce(paceEnd(socket)));
    openSocket(options.hostname, portOf(options), onlyPrivate, (error, socket) => {
      if (error) callback(error, null);
      else if (options.protocol === "https:") startTls({ ...options, httpSocket: socket }, paced);
      else paced(null, socket.setNoDelay(true));
    });
  };
}
