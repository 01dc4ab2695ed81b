import type { CompiledScope } from "../../domain/flow/compile.ts";
import { isTrue } from "../nodes/support/truth.ts";
import { describeError } from "./error-text.ts";
import type { NodeExecution } from "./node-execution.ts";
import { evaluateDeferred } from "./node-inputs.ts";
import type { ErrorText, ExecutionOutcome, Variables } from "./run-types.ts";
import type { MakeRound, NodeFailure, ScopeEnd } from "./scope-types.ts";

type Inputs = Readonly<Record<string, unknown>>;
type Outputs = Readonly<Record<string, unknown>>;

export function runContainer(
  execution: NodeExecution,
  inputs: Inputs,
  makeRound: MakeRound,
): Promise<ExecutionOutcome> {
  execution.run.enter(execution);
  return execution.node.type === "while"
    ? runWhile(execution, inputs, makeRound)
    : runForEach(execution, inputs, makeRound);
}

async function runForEach(
  execution: NodeExecution,
  inputs: Inputs,
  makeRound: MakeRound,
): Promise<ExecutionOutcome> {
  const list = inputs["items"] as readonly unknown[];
  execution.run.size.refuseRounds(list.length);
  // Grows with the rounds: thousands of loops may be open, each at the beginning of a long list.
  const results: unknown[] = [];
  const errors: { index: number; error: ErrorText }[] = [];
  const concurrency = (inputs["concurrency"] as number | undefined) ?? 1;
  const goesOn = inputs["onItemError"] === "continue";
  let next = 0;
  let failure: NodeFailure | undefined;
  let latestMs = execution.nowMs;

  const hasMore = () => next < list.length && failure === undefined && !execution.isStopped;

  const lane = async (): Promise<void> => {
    while (hasMore()) {
      const wait = execution.giveWay();
      if (wait !== undefined) {
        await wait;
        continue;
      }
      const index = next;
      next += 1;
      const variables = { ...execution.variables, item: list[index], index };
      // One after the other they are one path. Side by side each has its own, whichever lane it gets.
      const enteredMs = concurrency === 1 ? latestMs : execution.nowMs;
      const end = await runRound(execution, makeRound, { index, variables, enteredMs, goesOn });
      if (end.kind === "done") results[index] = end.result;
      if (end.kind === "failed") {
        if (goesOn) errors.push({ index, error: describeError(end.failure) });
        else failure ??= end.failure;
      }
      if (end.kind === "done" || end.kind === "failed") latestMs = Math.max(latestMs, end.atMs);
      if (failure !== undefined) for (const round of execution.inside ?? []) round.halt("ABORTED");
      if (lanes > 1 && execution.run.size.isCrowded) return;
      openLanes();
    }
  };

  // Loops inside of loops multiply their lanes: in a crowded run each has one, and more again when there is room. A round of
  // this one may hold a round of each loop inside open, however deep.
  const roundsOfLane = 1 + (execution.node.children as CompiledScope).containers;
  let lanes = 0;
  const maxLanes = Math.min(concurrency, list.length);
  const { activity } = execution.run;
  const all = Promise.withResolvers<void>();
  const openLanes = () => {
    while (lanes < maxLanes && hasMore() && (lanes === 0 || !execution.run.size.isCrowded)) {
      if (lanes > 0) execution.run.size.openRounds += roundsOfLane;
      lanes += 1;
      activity.enter();
      void lane().catch(all.reject).finally(closeLane);
    }
  };
  const closeLane = () => {
    lanes -= 1;
    if (lanes > 0) execution.run.size.openRounds -= roundsOfLane;
    activity.leave();
    if (lanes === 0) all.resolve();
  };
  if (hasMore()) {
    openLanes();
    activity.leave();
    try {
      await all.promise;
    } finally {
      activity.enter();
    }
  }

  if (failure !== undefined) throw failure;
  // Nobody asks what a loop that was stopped has come to, and thousands of them may be stopped at once.
  const items = execution.isStopped ? [] : Array.from(list, (_, index) => results[index] ?? null);
  const output = { items, errors: errors.toSorted((a, b) => a.index - b.index) };
  return { kind: "output", output, factAt: factAfter(execution, latestMs) };
}

/** A round sees what the nodes inside it have made in the round before, and the result of that round as `item`. */
async function runWhile(
  execution: NodeExecution,
  inputs: Inputs,
  makeRound: MakeRound,
): Promise<ExecutionOutcome> {
  const maxIterations = (inputs["maxIterations"] as number | undefined) ?? 100;
  let variables: Variables = { ...execution.variables, item: null };
  let enteredMs = execution.nowMs;
  let index = 0;
  for (; index < maxIterations && !execution.isStopped; index += 1) {
    await execution.giveWay();
    const round = { ...variables, index };
    const mayBegin =
      hasBegun(execution, index) || isTrue(await evaluateDeferred(execution, "condition", round, enteredMs));
    if (!mayBegin) break;
    const end = await runRound(execution, makeRound, { index, variables: round, enteredMs, goesOn: false });
    if (end.kind === "failed") throw end.failure;
    if (end.kind === "halted") break;
    variables = { ...round, item: end.result, nodes: end.nodes };
    enteredMs = end.atMs;
  }
  const output = { iterations: index, last: variables["item"] };
  return { kind: "output", output, factAt: factAfter(execution, enteredMs) };
}

/** Nothing to remember where nothing has happened inside. */
function factAfter({ nowMs }: NodeExecution, latestMs: number): number | undefined {
  return latestMs > nowMs ? latestMs : undefined;
}

/** What was true for a round stays true for it: something is known of a node in it. */
function hasBegun({ run, node, nodeKey }: NodeExecution, index: number): boolean {
  const { restored } = run.options.checkpoints;
  if (restored.size === 0) return false;
  const keyOf = keysOfRound(nodeKey, node.id, index);
  return (node.children as CompiledScope).nodes.some(({ id }) => restored.has(keyOf(id)));
}

/** `fetch[3]` inside a container of the flow itself, `inner[2].fetch[3]` inside one that is inside another. */
function keysOfRound(containerKey: string, containerId: string, index: number): (id: string) => string {
  const prefix = containerKey === containerId ? "" : `${containerKey}.`;
  return (id) => `${prefix}${id}[${index}]`;
}

interface Round {
  readonly index: number;
  readonly variables: Variables;
  readonly enteredMs: number;
  /** The container goes on after a failure in it. */
  readonly goesOn: boolean;
}

function runRound(
  execution: NodeExecution,
  makeRound: MakeRound,
  { index, variables, enteredMs, goesOn }: Round,
): Promise<ScopeEnd> {
  const { node, nodeKey, run } = execution;
  if (execution.isStopped) return Promise.resolve({ kind: "halted" });
  // What is under way from here on is under way inside of the round.
  run.activity.leave();
  return new Promise((resolve) => {
    const round = makeRound({
      run,
      scope: node.children as CompiledScope,
      keyOf: keysOfRound(nodeKey, node.id, index),
      memory: execution.memory,
      variables,
      nodes: variables["nodes"] as Outputs,
      enteredMs,
      isFailureHandled: goesOn || node.onError !== "fail" || execution.isFailureHandled,
      onEnd: (end) => {
        execution.inside?.delete(round);
        run.activity.enter();
        resolve(end);
      },
    });
    execution.inside?.add(round);
    round.start();
  });
}
