import { nodeBackoffMs } from "../../domain/run.ts";
import { runContainer } from "./containers.ts";
import { describeError, isWorthRetrying } from "./error-text.ts";
import { delayUntil, endsByHandle, timeoutOf } from "./limits.ts";
import { isLookUp } from "./memory.ts";
import type { NodeExecution } from "./node-execution.ts";
import { checkInputs, evaluateInputs } from "./node-inputs.ts";
import type { ExecutionOutcome } from "./run-types.ts";
import type { MakeRound } from "./scope-types.ts";

/** To begin something outside, and to end with an error where that cannot be. */
const beginningMs = 0.1;

/** An attempt that has failed. */
export interface FailedAttempt {
  readonly error: unknown;
  /** Of the service's clock; the back-off counts from here. */
  readonly atMs: number;
  /** It is in the records already. */
  readonly isRemembered: boolean;
}

/**
 * All attempts of a node, from `failed` on where some were made before. Nodes that need nothing from outside end within
 * the call, without a Promise.
 */
export function executeNode(
  execution: NodeExecution,
  makeRound: MakeRound,
  failed?: FailedAttempt,
): ExecutionOutcome | Promise<ExecutionOutcome> {
  if (failed !== undefined) return retry(execution, makeRound, failed);
  try {
    const outcome = attempt(execution, makeRound);
    return outcome instanceof Promise
      ? outcome.catch((error: unknown) => retry(execution, makeRound, justNow(execution, error)))
      : outcome;
  } catch (error) {
    if (execution.node.maxAttempts === 1 || !isWorthRetrying(error, execution.node))
      return { kind: "error", error };
    return retry(execution, makeRound, justNow(execution, error));
  }
}

function justNow({ services }: NodeExecution, error: unknown): FailedAttempt {
  return { error, atMs: services.now(), isRemembered: false };
}

/** An attempt that is followed by another one is remembered first: it was made, whatever becomes of this process. */
async function retry(
  execution: NodeExecution,
  makeRound: MakeRound,
  first: FailedAttempt,
): Promise<ExecutionOutcome> {
  const { maxAttempts, backoffMs } = execution.node;
  let failed = first;
  while (execution.attempts < maxAttempts && !execution.isHalted) {
    // One that is remembered was found worth it; of its error only the words are known.
    if (!failed.isRemembered && !isWorthRetrying(failed.error, execution.node)) break;
    if (!failed.isRemembered) await execution.run.remember(execution, describeError(failed.error));
    try {
      const pauseMs = nodeBackoffMs(backoffMs, execution.attempts);
      await execution.pause(Math.max(0, failed.atMs + pauseMs - execution.services.now()));
      return await execution.run.turn(execution.nodeKey, () => attempt(execution, makeRound));
    } catch (error) {
      if (execution.isHalted) break;
      failed = justNow(execution, error);
    }
  }
  return { kind: "error", error: failed.error };
}

function attempt(
  execution: NodeExecution,
  makeRound: MakeRound,
): ExecutionOutcome | Promise<ExecutionOutcome> {
  execution.beginAttempt();
  const { timeoutMs } = execution.node;
  if (timeoutMs === undefined || endsByHandle(execution.node)) return work(execution, makeRound);
  return workInTime(execution, makeRound, timeoutMs);
}

/** From the first entry on: an attempt that an earlier epoch has begun has what that one left of its time. */
async function workInTime(
  execution: NodeExecution,
  makeRound: MakeRound,
  timeoutMs: number,
): Promise<ExecutionOutcome> {
  const timer = new AbortController();
  const { nodeKey, nodeId, attempts, node, run } = execution;
  const isContainer = node.children !== undefined;
  const wait = { nodeKey, nodeId, attempt: attempts, suspension: { kind: "container" }, timeoutMs } as const;
  const found = isContainer ? run.untilFoundLasts() : undefined;
  if (found !== undefined) {
    await found;
    execution.check(attempts);
  }
  const begun = isContainer ? await run.begin(wait) : undefined;
  const { now } = execution.services;
  const expiresAt = begun?.expiresAt ?? run.options.waits.expiryOf(nodeKey, attempts) ?? now() + timeoutMs;
  const timeout = Promise.withResolvers<never>();
  // The time may be over before anybody waits for that.
  timeout.promise.catch(() => {});
  const over = () => {
    if (timer.signal.aborted) return;
    timeout.reject(timeoutOf(node));
    execution.haltAttempt();
    if (execution.begun !== undefined) run.withdraw((key) => key === nodeKey, "timed-out");
  };
  const { time } = run.options;
  const expired = time?.sleepUntil(expiresAt, timer.signal) ?? delayUntil(expiresAt, now, timer.signal);
  expired.then(
    () => execution.stopInTurn(over),
    () => {},
  );
  try {
    if (isContainer && expiresAt <= now()) return await timeout.promise;
    return await Promise.race([work(execution, makeRound), timeout.promise]);
  } finally {
    timer.abort();
    // One that was halted goes on with its run, or is taken back: its time is not over.
    if (isContainer && execution.isHalted) run.withdraw((key) => key === nodeKey, "left");
    else if (isContainer) run.options.waits.end(nodeKey, attempts);
  }
}

function work(execution: NodeExecution, makeRound: MakeRound): ExecutionOutcome | Promise<ExecutionOutcome> {
  const inputs = execution.input ?? evaluateInputs(execution);
  if (inputs instanceof Promise || execution.node.credentialId !== undefined) {
    return workAfterWaiting(execution, makeRound, inputs);
  }
  return perform(execution, makeRound, inputs);
}

async function workAfterWaiting(
  execution: NodeExecution,
  makeRound: MakeRound,
  inputs: Record<string, unknown> | Promise<Record<string, unknown>>,
): Promise<ExecutionOutcome> {
  const { attempts } = execution;
  const values = await inputs;
  const { credentialId } = execution.node;
  if (credentialId !== undefined)
    execution.credential = await execution.run.options.resolveCredential(credentialId);
  execution.check(attempts);
  return execution.run.turn(execution.nodeKey, () => perform(execution, makeRound, values));
}

function perform(
  execution: NodeExecution,
  makeRound: MakeRound,
  values: Record<string, unknown>,
): ExecutionOutcome | Promise<ExecutionOutcome> {
  execution.input = values;
  const inputs = checkInputs(execution, values);
  execution.input = inputs;
  execution.findUnderWay();
  if (execution.node.children !== undefined) return runContainer(execution, inputs, makeRound);
  const type = execution.run.options.nodeTypes.get(execution.node.type);
  const execute = type?.execute;
  if (execute === undefined) throw new Error(`Nodes of type ${execution.node.type} cannot be executed`);
  const held = untilItMayBegin(execution, inputs);
  const turn = held === undefined ? untilItsTurn(execution) : held.then(() => untilItsTurn(execution));
  if (turn === undefined) return execute(inputs, execution);
  const { attempts } = execution;
  return turn.then(() => {
    execution.check(attempts);
    return execution.run.turn(execution.nodeKey, () => execute(inputs, execution));
  });
}

/** Thousands of nodes may have waited for the same, and would all begin at once. */
function untilItsTurn(execution: NodeExecution): Promise<void> | undefined {
  return execution.node.kind.effect ? execution.giveWay(beginningMs) : undefined;
}

function untilItMayBegin(
  execution: NodeExecution,
  inputs: Record<string, unknown>,
): Promise<void> | undefined {
  const { run, node } = execution;
  const { effect, pauses } = node.kind;
  if (!effect && !pauses) return undefined;
  execution.isLookUp = isLookUp(node, inputs);
  const found = execution.isLookUp ? undefined : run.untilFoundLasts();
  return found?.then(() => untilItIsOurs(execution)) ?? untilItIsOurs(execution);
}

function untilItIsOurs(execution: NodeExecution): Promise<void> | undefined {
  const { run, begun, node } = execution;
  if (!node.kind.effect) return undefined;
  // Whoever starts a run asks the database anyway whether this one is still the process's.
  return begun === undefined ? run.beforeEffect() : run.givenUp.untilWritten(() => execution.isHaltDue);
}
