import { listOf, type PagePromise, pageQuery, type PageRequest, pathOf } from "../paging.ts";
import type { CallOptions, Transport } from "../transport.ts";
import type { AgentSession, AgentTurn } from "../wire.ts";

/** What was said to agents. */
export class ManagedAgents {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Sessions of an agent, newest first. */
  sessions(agentId: string, request: PageRequest = {}, options: CallOptions = {}): PagePromise<AgentSession> {
    const path = pathOf("/manage/agents", agentId, "sessions");
    return listOf(this.#transport, path, pageQuery(request), options);
  }

  /** The turns of a session, message and reply. */
  transcript(
    agentId: string,
    sessionId: string,
    request: PageRequest = {},
    options: CallOptions = {},
  ): PagePromise<AgentTurn> {
    const path = pathOf("/manage/agents", agentId, "sessions", sessionId);
    return listOf(this.#transport, path, pageQuery(request), options);
  }
}
