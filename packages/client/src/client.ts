import type { ValidateAnswer } from "@millrace/contract/auth";
import { Agents, Flows } from "./catalogue.ts";
import { Queue } from "./queue.ts";
import { Runs } from "./runs.ts";
import { Sessions } from "./sessions.ts";
import { type CallOptions, type ClientOptions, Transport } from "./transport.ts";

export { MillraceError } from "./error.ts";

/**
 * The whole API of a Millrace service, typed and without dependencies. Every failure is a `MillraceError`; an abort
 * through `signal` is the caller's own.
 *
 * @example
 * const millrace = new MillraceClient({ baseUrl: "http://127.0.0.1:4000", apiKey });
 * const started = await millrace.runs.trigger({ payload: { flowId: "flow_hello" } });
 * if (started.status !== "queued") console.log((await millrace.runs.wait(started.id)).output);
 */
export class MillraceClient {
  readonly flows: Flows;
  readonly runs: Runs;
  readonly queue: Queue;
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.flows = new Flows(transport);
    this.runs = new Runs(transport);
    this.queue = new Queue(transport);
    this.agents = new Agents(transport);
    this.sessions = new Sessions(transport);
  }

  /** Who the key belongs to; refused with status 401 where it is not valid. */
  async validate(options: CallOptions = {}): Promise<ValidateAnswer["data"]> {
    return (await this.#transport.call<ValidateAnswer>("GET", "/api/auth/validate", options)).data;
  }
}
