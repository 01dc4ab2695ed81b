import type { Replay, ReplayCall, ReplayedNode, ReplayRequest, ReplayResult } from "../../domain/replay.ts";
import { runFlow } from "../flow-runner/run-flow.ts";
import type { RunOutcome } from "../flow-runner/run-types.ts";
import type { NodeServices } from "../nodes/node-type.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { toTriggerEnvelope } from "../trigger-envelope.ts";
import { answeredNodes } from "./answered-nodes.ts";
import { ReplayWaits } from "./replay-waits.ts";
import { VirtualTime } from "./virtual-time.ts";

/** The runner and the nodes of the service, in a time of their own, where nothing reaches outside. */
export function createReplay(sandbox: Sandbox): Replay {
  return (request) => replayRun(request, sandbox);
}

async function replayRun(request: ReplayRequest, sandbox: Sandbox): Promise<ReplayResult> {
  const { flow, run, trigger, data, vars, overrides, startedAtMs, answer } = request;
  const time = new VirtualTime(startedAtMs);
  const stopping = new AbortController();
  const signal = AbortSignal.any([request.signal, stopping.signal]);
  const path = new Map<string, { nodeKey: string; nodeId: string }>();
  const nodes: ReplayedNode[] = [];
  const calls: ReplayCall[] = [];
  let unanswered: ReplayCall | undefined;
  const giveUp = (call: ReplayCall): never => {
    unanswered ??= call;
    stopping.abort();
    throw new Error(`Nothing is known of the call of ${call.nodeKey}`);
  };
  const nodeTypes = answeredNodes({
    find: answer,
    *require(call) {
      calls.push(call);
      return (yield* answer(call)) ?? giveUp(call);
    },
    giveUp,
  });
  const outcome = await runFlow({
    flow,
    nodeTypes,
    run,
    trigger: toTriggerEnvelope(trigger),
    data,
    vars: flow.readsVariables ? (vars ?? {}) : undefined,
    ...(overrides && { overrides }),
    services: { ...nothingOutside, sandbox, now: time.now },
    startedAtMs,
    time,
    // It is never used: what would use it is answered.
    resolveCredential: async (id) => ({ id, type: "", allowedHosts: [], secret: {} }),
    resumeUrl: (nodeKey) => `http://localhost/app/resume/${run.id}/${encodeURIComponent(nodeKey)}`,
    checkpoints: { restored: new Map(), save: async () => {} },
    waits: new ReplayWaits(time, signal),
    signal,
    interruption: () => "CANCELED",
    onNode: ({ nodeKey, nodeId, status }) => {
      if (status === "EXECUTING" && !path.has(nodeKey)) path.set(nodeKey, { nodeKey, nodeId });
    },
    onRecord: (record) => void nodes.push(record as ReplayedNode),
  });
  const common = { path: [...path.values()], nodes, calls, endedAtMs: time.now() };
  if (unanswered !== undefined) return { ...common, status: "UNANSWERED", unanswered };
  return { ...common, ...endOf(outcome) };
}

function endOf(outcome: RunOutcome): Pick<ReplayResult, "status" | "output" | "error"> {
  switch (outcome.kind) {
    case "completed":
      return { status: "COMPLETED", output: outcome.output };
    case "failed":
      return { status: "FAILED", error: outcome.error };
    case "suspended":
      return { status: "PENDING" };
    case "aborted":
      return { status: "CANCELED" };
  }
}

const refuse = (): never => {
  throw new Error("A replay reaches nothing outside");
};

/** Nodes that use these are answered before; if one were not, this is where it would end. */
const nothingOutside: Omit<NodeServices, "sandbox" | "now"> = {
  http: { request: refuse, open: refuse, fetchFor: refuse, close: refuse },
  foreign: { call: refuse, close: refuse },
  store: { get: refuse, set: refuse, increment: refuse, delete: refuse },
  chat: { send: refuse },
};
