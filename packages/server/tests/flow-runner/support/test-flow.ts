import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { type FlowGraph, flowGraphSchema } from "@millrace/contract/documents/graph";
import { z } from "zod";
import { compileFlow } from "../../../src/domain/flow/compile.ts";
import { runFlow } from "../../../src/engine/flow-runner/run-flow.ts";
import type {
  NodeRecord,
  RunOptions,
  RunOutcome,
  WaitPort,
} from "../../../src/engine/flow-runner/run-types.ts";
import { code } from "../../../src/engine/nodes/code.ts";
import { fail } from "../../../src/engine/nodes/fail.ts";
import { forEach } from "../../../src/engine/nodes/for-each.ts";
import { ifNode } from "../../../src/engine/nodes/if.ts";
import {
  defineNode,
  NodeError,
  type NodeServices,
  type NodeType,
} from "../../../src/engine/nodes/node-type.ts";
import { returnNode } from "../../../src/engine/nodes/return.ts";
import { runFlow as runFlowNode } from "../../../src/engine/nodes/run-flow.ts";
import { set } from "../../../src/engine/nodes/set.ts";
import { start } from "../../../src/engine/nodes/start.ts";
import { store } from "../../../src/engine/nodes/store.ts";
import { transform } from "../../../src/engine/nodes/transform.ts";
import { whileNode } from "../../../src/engine/nodes/while.ts";

const shared = { summary: "For tests.", output: "Anything.", effect: false, example: {} };

/** Until the node with this key was executed: an order that no load can change. */
async function untilExecuted(keys: () => readonly string[], key: string, signal: AbortSignal): Promise<void> {
  if (key === "") return;
  while (!keys().includes(key)) {
    signal.throwIfAborted();
    await nextTurn();
  }
}

/** An effect: answers its `value` after `delayMs` and after the node `after`, and notes that it was executed. */
function effectType(effects: string[], notes: string[]): NodeType {
  return defineNode({
    ...shared,
    type: "effect",
    effect: true,
    inputs: z.object({
      value: z.unknown().optional(),
      delayMs: z.number().default(0),
      after: z.string().default(""),
    }),
    async execute({ value, delayMs, after }, { nodeKey, signal }) {
      await delay(delayMs, undefined, { signal });
      await untilExecuted(() => effects, after, signal);
      effects.push(nodeKey);
      notes.push(`${nodeKey} done`);
      return { kind: "output", output: { value: value ?? null } };
    },
  });
}

export interface Sent {
  readonly nodeKey: string;
  readonly value: unknown;
}

/** An effect that notes what it sends, and then fails as often as `failures` says, for each node; `hangs` never ends. */
function postType(sent: Sent[]): NodeType {
  return defineNode({
    ...shared,
    type: "post",
    effect: true,
    inputs: z.object({
      value: z.unknown().optional(),
      failures: z.number().default(0),
      hangs: z.boolean().default(false),
      after: z.string().default(""),
    }),
    async execute({ value, failures, hangs, after }, { nodeKey, signal }) {
      const before = sent.filter((one) => one.nodeKey === nodeKey).length;
      sent.push({ nodeKey, value: value ?? null });
      if (hangs) await new Promise((_resolve, reject) => signal.addEventListener("abort", reject));
      await delay(0, undefined, { signal });
      await untilExecuted(() => sent.map((one) => one.nodeKey), after, signal);
      if (before < failures) throw new NodeError("Refused", `Refused ${before + 1}`, { mayPass: true });
      return { kind: "output", output: { value: value ?? null } };
    },
  });
}

/** Fails as often as `times` says, then answers; each attempt is noted. */
function flakyType(notes: string[]): NodeType {
  const failures = new Map<string, number>();
  return defineNode({
    ...shared,
    type: "flaky",
    inputs: z.object({ times: z.number(), message: z.string().default("It broke.") }),
    execute({ times, message }, context) {
      const failed = failures.get(context.nodeKey) ?? 0;
      context.log(`Attempt ${failed + 1}`);
      notes.push(`${context.nodeKey} attempt ${failed + 1}`);
      if (failed >= times) return { kind: "output", output: { failed } };
      failures.set(context.nodeKey, failed + 1);
      throw new NodeError("Broken", message, { mayPass: true });
    },
  });
}

/** Ends only when it is aborted, and notes that. */
function hangType(notes: string[]): NodeType {
  return defineNode({
    ...shared,
    type: "hang",
    inputs: z.object({}),
    execute: (_inputs, { nodeKey, signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          notes.push(`${nodeKey} aborted`);
          reject(new Error("aborted"));
        });
      }),
  });
}

const suspend = defineNode({
  ...shared,
  type: "suspend",
  inputs: z.object({ message: z.string().default("Please?") }),
  pauses: true,
  handles: () => ["approved", "rejected"],
  async execute({ message }, context) {
    const { handle, ...output } = await context.waitFor({ kind: "approval", message });
    return { kind: "output", output, handle: handle as string };
  },
});

export interface TestRun {
  readonly outcome: RunOutcome;
  /** Keys of all nodes in the order in which they began. */
  readonly began: string[];
  readonly effects: string[];
  /** What the nodes made for tests noted, all of them in the order in which it happened. */
  readonly notes: string[];
  readonly saved: NodeRecord[][];
  /** Keys of the nodes that began to wait, in their order. */
  readonly waiting: string[];
  /** Keys of the nodes that nobody waits for any more. */
  readonly withdrawn: string[];
}

/** Waits that a test answers, or nobody. */
function waitsFor(
  { waiting, withdrawn }: Pick<TestRun, "waiting" | "withdrawn">,
  answers: ReadonlyMap<string, Promise<Record<string, unknown>>>,
): WaitPort {
  const expiries = new Map<string, number>();
  return {
    begin: async ({ nodeKey, timeoutMs, suspension }) => {
      if (suspension.kind !== "container") waiting.push(nodeKey);
      const startedAt = Date.now();
      const expiresAt = timeoutMs === undefined ? undefined : startedAt + timeoutMs;
      if (expiresAt !== undefined) expiries.set(nodeKey, expiresAt);
      const given = answers.get(nodeKey) ?? new Promise<never>(() => {});
      const answer = given.then((value) => ({ answer: value, answeredAt: Date.now() }));
      return { startedAt, expiresAt, mayPause: suspension.kind !== "container", answer };
    },
    expiryOf: (nodeKey) => expiries.get(nodeKey),
    end: () => {},
    suspend: () => {},
    withdraw: async (isMeant) => {
      withdrawn.push(...waiting.filter((nodeKey) => isMeant(nodeKey) && !withdrawn.includes(nodeKey)));
    },
  };
}

type Node = { id: string; type: string; parentId?: string; data?: Record<string, unknown> };

/** `a b` or `a:handle b`, one edge a line. */
export function graphOf(nodes: readonly Node[], edges: string): FlowGraph {
  return flowGraphSchema.parse({
    nodes,
    edges: edges
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => {
        const [from = "", target] = line.split(/\s+/);
        const [source, sourceHandle] = from.split(":");
        return { source, sourceHandle, target };
      }),
  });
}

export function node(
  id: string,
  type: string,
  inputs: Record<string, unknown> = {},
  data: object = {},
): Node {
  return { id, type, data: { inputs, ...data } };
}

export function inside(parentId: string, child: Node): Node {
  return { ...child, parentId };
}

function typesFor(effects: string[], notes: string[], sent: Sent[]): ReadonlyMap<string, NodeType> {
  const types = [
    start,
    set,
    ifNode,
    returnNode,
    fail,
    code,
    transform,
    forEach,
    whileNode,
    runFlowNode,
    store,
    suspend,
  ];
  const noting = [effectType(effects, notes), postType(sent), flakyType(notes), hangType(notes)];
  return new Map([...types, ...noting].map((type) => [type.type, type]));
}

function servicesFor(parts: Partial<NodeServices> = {}): NodeServices {
  return { now: () => Date.now(), ...parts } as NodeServices;
}

/** What a run needs besides its graph; `restored` is what earlier attempts have left. */
export type TestOptions = Partial<RunOptions> & {
  restored?: ReadonlyMap<string, NodeRecord>;
  /** By node key. */
  answers?: ReadonlyMap<string, Promise<Record<string, unknown>>>;
  /** Where `post` nodes note what they send. */
  sent?: Sent[];
  /** Keys of nodes that an earlier epoch waits for. */
  open?: readonly string[];
};

export async function run(
  graph: FlowGraph,
  { restored, answers, sent, open = [], ...options }: TestOptions = {},
): Promise<TestRun> {
  const waits: Pick<TestRun, "waiting" | "withdrawn"> = { waiting: [...open], withdrawn: [] };
  const effects: string[] = [];
  const notes: string[] = [];
  const began: string[] = [];
  const saved: NodeRecord[][] = [];
  const nodeTypes = options.nodeTypes ?? typesFor(effects, notes, sent ?? []);
  const outcome = await runFlow({
    flow: compileFlow(graph, nodeTypes),
    nodeTypes,
    run: { id: "run_1", attempt: 1, flowId: "flow_1", organizationId: "org_1" },
    trigger: { body: {}, headers: {}, query: {}, method: "POST" },
    data: {},
    services: servicesFor(),
    resolveCredential: async (id) => ({ id, type: "http-bearer", allowedHosts: [], secret: { token: "t" } }),
    checkpoints: {
      restored: restored ?? new Map(),
      save: async (records) => {
        saved.push([...records]);
      },
    },
    waits: waitsFor(waits, answers ?? new Map()),
    onNode: ({ nodeKey, status }) => {
      if (status === "EXECUTING") began.push(nodeKey);
    },
    ...options,
  });
  return { outcome, began, effects, notes, saved, ...waits };
}
