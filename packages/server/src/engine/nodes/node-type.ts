import type { z } from "zod";
import type { NodeKind } from "../../domain/flow/catalogue.ts";
import { driveSliced, type Sliced } from "../../domain/sliced.ts";
import type { MemoryPort } from "../../lifecycle/shared-memory.ts";
import { duringEach, labelOf } from "../../lifecycle/under-way.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { GuardedHttp } from "../../upstream/guarded-http/guarded-http.ts";
import type { ForeignServers } from "../../upstream/foreign/foreign-servers.ts";

/** A credential as a node may use it: decrypted at the moment of use, never part of inputs, outputs or logs. */
export interface ResolvedCredential {
  readonly id: string;
  readonly type: string;
  readonly allowedHosts: readonly string[];
  /** It may be sent without TLS, to private addresses. */
  readonly allowUnencrypted?: boolean;
  readonly secret: Readonly<Record<string, string>>;
}

/** Everything a node may reach. What is not here, a node cannot do. */
export interface NodeContext {
  readonly organizationId: string;
  readonly flowId: string;
  readonly runId: string;
  readonly nodeId: string;
  /** Node id plus the loop path (`fetch[3]`): one key, one checkpoint, one stable Idempotency-Key. */
  readonly nodeKey: string;
  /** Counted from 1 over the attempts of the run. */
  readonly attempt: number;
  /** How many flows and agents that called each other stand above the run. */
  readonly depth: number;
  readonly trigger: TriggerEnvelope;
  /** It talks to the outside, or leads to a node that does. */
  readonly isUrgent: boolean;
  /** Where the run is traced: the header that makes whoever is called part of it. */
  readonly traceparent?: string | undefined;
  /** Where memory is shared: what answers take while they are read is the run's. */
  readonly answers?: MemoryPort | undefined;
  /** Aborted on cancel, timeout, shutdown and when another branch has ended the run. */
  readonly signal: AbortSignal;
  /** What is now for the flow: the moment of the last fact before this node, the same whenever it is executed. */
  readonly nowMs: number;
  /** Where chance begins, the same whenever it is executed; another one for each call. */
  nextSeed(): string;
  /** Kept with the node's record: at most 100 lines of 1 KB. */
  log(line: string): void;
  readonly credential?: ResolvedCredential;
  /**
   * Evaluates a deferred input for one item or round, with `item` and `index` in scope. With `input` that value is the
   * context of the expression instead of the whole scope (`transform`). The answer is the value itself where the
   * expression could be evaluated in place, a Promise of it where it could not.
   */
  evaluate(inputName: string, scope: EvaluationScope): unknown;
  /**
   * Waits for what may take longer than this process lives; the run is PAUSED when nothing else is left to do. `notify` is
   * called when the wait can be answered, once unless a worker is lost in the middle of it.
   */
  waitFor(
    suspension: Suspension,
    notify?: () => Promise<unknown>,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** The link that answers this node, where it is an approval. */
  readonly resumeUrl?: string | undefined;
  /** A Promise where others have to have their turn before the node goes on with what takes about so long. */
  giveWay(aheadMs?: number): Promise<void> | undefined;
  readonly services: NodeServices;
}

export interface EvaluationScope {
  readonly item?: unknown;
  readonly index?: number;
  readonly input?: unknown;
}

export interface TriggerEnvelope {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly method: string | undefined;
}

/** The outside world of the nodes; main.ts fills it, `flows run` fills it with in-memory parts, tests with their own. */
export interface NodeServices {
  readonly http: GuardedHttp;
  readonly foreign: ForeignServers;
  readonly sandbox: Sandbox;
  /** Keys of the `store` node, kept per organization. */
  readonly store: OrganizationStore;
  /** Chats with an agent of the same organization; used by the `agent` node. */
  readonly chat: AgentChat;
  /** Milliseconds since 1970, database-calibrated in the service. */
  now(): number;
}

export interface OrganizationStore {
  get(organizationId: string, key: string): Promise<unknown>;
  set(organizationId: string, key: string, value: unknown): Promise<void>;
  increment(organizationId: string, key: string, by: number): Promise<number>;
  delete(organizationId: string, key: string): Promise<void>;
}

export interface AgentChat {
  send(request: {
    organizationId: string;
    agentId: string;
    message: string;
    sessionKey?: string;
    depth: number;
    signal: AbortSignal;
  }): Promise<{ text: string; sessionId: string }>;
}

/** What became of a node. */
export type NodeOutcome =
  | { readonly kind: "output"; readonly output: Record<string, unknown>; readonly handle?: string }
  | { readonly kind: "return"; readonly value: Record<string, unknown> }
  /** The flow itself ends here, FAILED. */
  | { readonly kind: "fail"; readonly error: { readonly name: string; readonly message: string } };

/** What a node waits for. */
export type Suspension =
  | { readonly kind: "wait"; readonly durationMs: number }
  | { readonly kind: "wait"; readonly untilMs: number }
  | {
      readonly kind: "approval";
      readonly message: string;
      readonly timeoutMs?: number;
      readonly assignees?: readonly string[];
      readonly form?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: "run-flow";
      readonly flowId: string;
      readonly data: Record<string, unknown>;
      readonly trigger?: Partial<TriggerEnvelope>;
      readonly wait: boolean;
      /** Whether the other run goes on when this one ends before it. */
      readonly onParentEnd: "cancel" | "leave";
    };

export interface NodeType<Inputs extends z.ZodObject = z.ZodObject> extends NodeKind {
  /**
   * An input that the document states but whose expression found nothing arrives as `null`; every optional input
   * takes `null` as absent.
   */
  readonly inputs: Inputs;
  /** The node's `data` in the node reference. */
  readonly example: { readonly inputs?: Readonly<Record<string, unknown>>; readonly credential?: string };
  /** Containers have none: the runner itself goes round their children. */
  readonly execute?: (inputs: z.infer<Inputs>, context: NodeContext) => Promise<NodeOutcome> | NodeOutcome;
}

/** Ties the inferred inputs to `execute`, then forgets them so that all types fit one registry. */
export function defineNode<Inputs extends z.ZodObject>(node: NodeType<Inputs>): NodeType {
  return node as unknown as NodeType;
}

/**
 * For nodes that go through data of any size: others have their turn wherever the work yields. Until then it is part of the
 * turn that the run has.
 */
export function inSlices<Inputs>(work: (inputs: Inputs, context: NodeContext) => Sliced<NodeOutcome>) {
  return (inputs: Inputs, context: NodeContext): Promise<NodeOutcome> | NodeOutcome => {
    const slices = work(inputs, context);
    const turns = () => {
      const { organizationId, flowId, runId, nodeKey } = context;
      return duringEach(labelOf({ kind: "run", organizationId, flowId, runId }), nodeKey, slices);
    };
    return driveSliced(slices, () => context.giveWay(), turns);
  };
}

interface NodeErrorOptions extends ErrorOptions {
  readonly status?: number | undefined;
  readonly mayPass?: boolean | undefined;
}

/** An error whose text was written for the flow's author; anything else is reported as "Node failed". */
export class NodeError extends Error {
  override readonly name: string;
  /** Of the HTTP answer that was not expected. */
  readonly status: number | undefined;
  /** Another attempt may end better, whatever the name says. */
  readonly mayPass: boolean | undefined;
  constructor(name: string, message: string, { status, mayPass, ...options }: NodeErrorOptions = {}) {
    super(message, options);
    this.name = name;
    this.status = status;
    this.mayPass = mayPass;
  }
}
