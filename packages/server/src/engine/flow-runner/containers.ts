import type { CompiledScope } from "../../domain/flow/compile.ts";
import { isTrue } from "../nodes/support/truth.ts";
import { describeError } from "./error-text.ts";
import type { NodeExecution } from "./node-execution.ts";
import type { ErrorText, ExecutionOutcome, Variables } from "./run-types.ts";
import type { MakeRound, NodeFailure, ScopeEnd } from "./scope-types.ts";

type Inputs = Readonly<Record<string, unknown>>;
type Outputs = Readonly<Record<string, unknown>>;

export function runContainer(
  execution: NodeExecution,
  inputs: Inputs,
  makeRound: MakeRound,
): Promise<ExecutionOutcome> {
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
  execution.run.refuseRounds(list.length);
  const items: unknown[] = list.map(() => null);
  const errors: { index: number; error: ErrorText }[] = [];
  let next = 0;
  let failure: NodeFailure | undefined;

  const lane = async (): Promise<void> => {
    while (next < list.length && failure === undefined && !execution.isStopped) {
      const wait = execution.giveWay();
      if (wait !== undefined) {
        await wait;
        continue;
      }
      const index = next;
      next += 1;
      const variables = { ...execution.variables, item: list[index], index };
      const end = await runRound(execution, makeRound, index, variables);
      if (end.kind === "done") items[index] = end.result;
      if (end.kind === "failed") {
        if (inputs["onItemError"] === "continue") errors.push({ index, error: describeError(end.failure) });
        else failure ??= end.failure;
      }
      if (failure !== undefined) for (const round of execution.inside) round.halt();
    }
  };
  const { activity } = execution.run;
  const lanes = Math.min((inputs["concurrency"] as number | undefined) ?? 1, list.length);
  activity.enter(lanes);
  activity.leave();
  try {
    await Promise.all(Array.from({ length: lanes }, () => lane().finally(() => activity.leave())));
  } finally {
    activity.enter();
  }

  if (failure !== undefined) throw failure;
  return { kind: "output", output: { items, errors: errors.toSorted((a, b) => a.index - b.index) } };
}

/** A round sees what the nodes inside it have made in the round before, and the result of that round as `item`. */
async function runWhile(
  execution: NodeExecution,
  inputs: Inputs,
  makeRound: MakeRound,
): Promise<ExecutionOutcome> {
  const maxIterations = (inputs["maxIterations"] as number | undefined) ?? 100;
  let variables: Variables = { ...execution.variables, item: null };
  let index = 0;
  for (; index < maxIterations && !execution.isStopped; index += 1) {
    await execution.giveWay();
    const round = { ...variables, index };
    if (!isTrue(await execution.evaluateOver("condition", round))) break;
    const end = await runRound(execution, makeRound, index, round);
    if (end.kind === "failed") throw end.failure;
    if (end.kind === "halted") break;
    variables = { ...round, item: end.result, nodes: end.nodes };
  }
  return { kind: "output", output: { iterations: index, last: variables["item"] } };
}

function runRound(
  execution: NodeExecution,
  makeRound: MakeRound,
  index: number,
  variables: Variables,
): Promise<ScopeEnd> {
  const { node, nodeKey, run } = execution;
  if (execution.isStopped) return Promise.resolve({ kind: "halted" });
  // `fetch[3]` inside a container of the flow itself, `inner[2].fetch[3]` inside one that is inside another.
  const prefix = nodeKey === node.id ? "" : `${nodeKey}.`;
  // What is under way from here on is under way inside of the round.
  run.activity.leave();
  return new Promise((resolve) => {
    const round = makeRound({
      run,
      scope: node.children as CompiledScope,
      keyOf: (id) => `${prefix}${id}[${index}]`,
      variables,
      nodes: variables["nodes"] as Outputs,
      onEnd: (end) => {
        execution.inside.delete(round);
        run.activity.enter();
        resolve(end);
      },
    });
    execution.inside.add(round);
    round.start();
  });
}
