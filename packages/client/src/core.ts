import { Agents, Flows } from "./catalogue.ts";
import { Queue } from "./queue.ts";
import { Runs } from "./runs.ts";
import { Sessions } from "./sessions.ts";
import { type CallOptions, type ClientOptions, Transport } from "./transport.ts";
import type { Identity } from "./wire.ts";

export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  isMillraceError,
  MillraceError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from "./error.ts";
export { webhooks, WebhookVerificationError } from "./webhooks.ts";
export type { Agents, CatalogueRequest, Flows } from "./catalogue.ts";
export type { ClientErrorCode, ErrorDetails } from "./error.ts";
export type { FlowId, FlowInput } from "./flow-inputs.ts";
export type { Page, PagePromise, PageRequest, RunFilter } from "./paging.ts";
export type { Queue } from "./queue.ts";
export type {
  CancelRunOptions,
  ForkStart,
  Runs,
  RunsRequest,
  RunStart,
  RunStreamOptions,
  TriggerArguments,
} from "./runs.ts";
export type { ChatEvent, ChatStreamOptions, ResumeStreamRequest, Sessions } from "./sessions.ts";
export type { CallOptions, ClientOptions } from "./transport.ts";
export type { TriggerOptions } from "./trigger.ts";
export type { SignRequest, UnwrapOptions } from "./webhooks.ts";
export type * from "./wire.ts";

/** The contract's API: flows, runs, queue, agents. `MillraceClient` of `@millrace/client` is this one with `manage`. */
export class MillraceClient {
  readonly flows: Flows;
  readonly runs: Runs;
  readonly queue: Queue;
  readonly agents: Agents;
  readonly sessions: Sessions;
  /** For what is built upon the client. */
  protected readonly transport: Transport;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.transport = transport;
    this.flows = new Flows(transport);
    this.runs = new Runs(transport);
    this.queue = new Queue(transport);
    this.agents = new Agents(transport);
    this.sessions = new Sessions(transport);
  }

  /** Who the key belongs to; fails with an `AuthenticationError` where it is not valid. */
  validate(options: CallOptions = {}): Promise<Identity> {
    return this.transport.data("GET", "/api/auth/validate", options);
  }
}
