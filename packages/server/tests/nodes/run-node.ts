import type { NodeContext, NodeOutcome, NodeServices } from "../../src/engine/nodes/node-type.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";

export type ContextParts = Partial<Omit<NodeContext, "services">> & { services?: Partial<NodeServices> };

/** A node as the runner runs it: inputs checked against the schema, then executed with only the given services. */
export function runNode(type: string, inputs: Record<string, unknown>, parts: ContextParts = {}) {
  const node = nodeTypes.get(type);
  if (node?.execute === undefined) throw new Error(`${type} cannot be executed`);
  return node.execute(node.inputs.parse(inputs), contextOf(parts));
}

/** The output of a node that needs no Promise; a Promise is a failure. */
export function outputNow(type: string, inputs: Record<string, unknown>, parts: ContextParts = {}) {
  const outcome = runNode(type, inputs, parts);
  if (outcome instanceof Promise) throw new Error(`${type} made the runner wait`);
  return outcomeOutput(outcome);
}

export async function outputOf(type: string, inputs: Record<string, unknown>, parts: ContextParts = {}) {
  return outcomeOutput(await runNode(type, inputs, parts));
}

/** The error of a node, synchronous or not. */
export async function errorOf(type: string, inputs: Record<string, unknown>, parts: ContextParts = {}) {
  const failure = await (async () => runNode(type, inputs, parts))().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof Error)) throw new Error(`${type} did not fail`);
  return failure;
}

function outcomeOutput(outcome: NodeOutcome): Record<string, unknown> {
  if (outcome.kind !== "output") throw new Error(`expected an output, got ${outcome.kind}`);
  return outcome.output;
}

function contextOf({ services, ...parts }: ContextParts): NodeContext {
  return {
    organizationId: "org_test",
    flowId: "flow_test",
    runId: "run_1",
    nodeId: "node",
    nodeKey: "node[2]",
    depth: 0,
    attempt: 1,
    isUrgent: false,
    trigger: { body: {}, headers: {}, query: {}, method: "POST" },
    signal: new AbortController().signal,
    nowMs: 1_000,
    nextSeed: () => "run_1 node[2] 1",
    log: () => {},
    giveWay: () => undefined,
    waitFor: async (_suspension, notify) => {
      await notify?.();
      throw new Error("nothing to wait for");
    },
    evaluate: () => {
      throw new Error("nothing to evaluate");
    },
    services: { now: () => Date.now(), ...services } as NodeServices,
    ...parts,
  };
}
