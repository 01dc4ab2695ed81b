import type { CompiledNode } from "../../domain/flow/compile.ts";
import { errorHandle } from "../../domain/flow/handles.ts";
import { type Plan, settleNode, startPlan } from "../../domain/flow/plan.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { cameTo } from "../../lifecycle/under-way.ts";
import { describeError } from "./error-text.ts";
import { executeNode } from "./execute-node.ts";
import { takeNext } from "../../domain/flow/take-next.ts";
import { failedAttemptOf, failureOfRound } from "./earlier-failures.ts";
import { hasPassed, isFact, knownOf, momentAfter } from "./memory.ts";
import { NodeExecution } from "./node-execution.ts";
import { PathTimes } from "./path-times.ts";
import { NodeFailure, type ScopeEnd, type ScopeRound, type ScopeRoundOptions } from "./scope-types.ts";
import type { ExecutionOutcome, InterruptedStatus, NodeRecord, Variables } from "./run-types.ts";

/** Runs the nodes of a scope as their edges allow, those without work outside one after the other in one go. */
class ScopeRun implements ScopeRound {
  readonly #options: ScopeRoundOptions;
  readonly #variables: Variables;
  /** Outputs by node id: what was known before, and what this round makes. */
  readonly #nodes: Record<string, unknown>;
  readonly #ran = new Set<CompiledNode>();
  readonly #underWay = new Set<NodeExecution>();
  readonly #plan: Plan;
  readonly #ready: number[];
  /** From the first fact on. */
  #times: PathTimes | undefined;
  #isPumping = false;
  #isOver = false;

  constructor(options: ScopeRoundOptions) {
    this.#options = options;
    // Without a prototype, so that a node may be called anything.
    this.#nodes = Object.assign(Object.create(null) as Record<string, unknown>, options.nodes);
    this.#variables = { ...options.variables, nodes: this.#nodes };
    const { plan, ready } = startPlan(options.scope);
    this.#plan = plan;
    this.#ready = ready;
  }

  start(): void {
    const earlier = failureOfRound(this.#options);
    if (earlier === undefined) this.#pump();
    else this.#end({ kind: "failed", ...earlier });
  }

  halt(status: InterruptedStatus | undefined): void {
    if (this.#isOver) return;
    this.#stop(status);
    this.#options.onEnd({ kind: "halted" });
  }

  /** Nothing begins any more, and what is under way ends here. */
  #stop(status: InterruptedStatus | undefined): void {
    this.#isOver = true;
    for (const execution of this.#underWay) {
      execution.halt(status);
      if (status !== undefined && !execution.isRecorded)
        this.#options.run.add(this.#options.run.endRecord(execution, { status }));
    }
  }

  #end(end: ScopeEnd): void {
    if (this.#isOver) return;
    this.#stop("ABORTED");
    this.#options.onEnd(end);
  }

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    const { run, scope } = this.#options;
    while (this.#ready.length > 0 && !this.#isOver) {
      if (eventLoop.isSliceOver()) {
        const goOn = () => {
          this.#isPumping = false;
          run.turn("", () => this.#pump());
          run.activity.leave();
        };
        const isUrgent = this.#ready.some((position) => scope.nodes[position]!.urgency < 2);
        run.activity.enter();
        eventLoop.queue(run.options.run.organizationId, goOn, { isUrgent });
        return;
      }
      this.#begin(takeNext(scope, this.#ready));
    }
    this.#isPumping = false;
    if (this.#isOver || this.#underWay.size > 0) return;
    this.#end({
      kind: "done",
      result: this.#result(),
      nodes: this.#nodes,
      atMs: this.#times?.latestMs ?? this.#options.enteredMs,
    });
  }

  #begin(node: CompiledNode): void {
    const { run, keyOf, isFailureHandled } = this.#options;
    const nodeKey = keyOf(node.id);
    const nowMs = this.#times?.at(node) ?? this.#options.enteredMs;
    const record = run.options.checkpoints.restored.get(nodeKey);
    if (record !== undefined && hasPassed(record)) {
      this.#pass(node, record, nowMs);
      return;
    }
    const place = { nodeKey, variables: this.#variables, nowMs, isFailureHandled };
    const execution = new NodeExecution(run, node, place, record && knownOf(node, record));
    const { startedAt } = execution;
    run.options.onNode?.({ nodeKey, nodeId: node.id, type: node.type, status: "EXECUTING", startedAt });
    cameTo(nodeKey);
    const failed = failedAttemptOf(record);
    const outcome = run.size.countExecution() ?? executeNode(execution, makeRound, failed);
    if (!(outcome instanceof Promise)) {
      this.#settle(execution, outcome);
      return;
    }
    this.#underWay.add(execution);
    run.activity.enter();
    if (execution.begun !== undefined) void run.complete(execution.begun.promise);
    outcome
      .then((value) => run.turn(nodeKey, () => this.#resume(execution, value)))
      .catch((error: unknown) => run.crash(error))
      .finally(() => {
        execution.markBegun();
        run.activity.leave();
      });
  }

  #resume(execution: NodeExecution, outcome: ExecutionOutcome): void {
    this.#underWay.delete(execution);
    if (this.#isOver) return;
    this.#settle(execution, outcome);
    this.#pump();
  }

  #settle(execution: NodeExecution, outcome: ExecutionOutcome): void {
    const { run } = this.#options;
    const { node } = execution;
    const fault = run.faultOf(outcome);
    if (fault !== undefined) return this.#fail(execution, fault);
    switch (outcome.kind) {
      case "output": {
        const { handle = node.defaultHandle, factAt } = outcome;
        const output = execution.mend("output", outcome.output);
        return this.#keep(
          execution,
          run.endRecord(execution, { status: "COMPLETED", output, handle, factAt }),
        );
      }
      case "return": {
        const output = execution.mend("output", outcome.value);
        run.add(run.endRecord(execution, { status: "COMPLETED", output }));
        return run.end({ kind: "completed", output });
      }
      case "fail": {
        const { error } = outcome;
        run.add(run.endRecord(execution, { status: "FAILED", error }));
        return run.end({ kind: "failed", error: { ...error, nodeId: node.id }, isDeliberate: true });
      }
      case "error":
        return this.#fail(execution, outcome.error);
    }
  }

  #fail(execution: NodeExecution, failure: unknown): void {
    const { run, isFailureHandled, enteredMs } = this.#options;
    const { node } = execution;
    const error = describeError(failure);
    if (node.onError !== "fail") {
      const handle = node.onError === "branch" ? errorHandle : node.defaultHandle;
      this.#keep(execution, run.endRecord(execution, { status: "FAILED", output: { error }, handle, error }));
      return;
    }
    const factAt = execution.nowMs > enteredMs ? execution.nowMs : undefined;
    const record = run.endRecord(execution, { status: "FAILED", error, factAt });
    run.add(record);
    const end: ScopeEnd = {
      kind: "failed",
      failure: failure instanceof NodeFailure ? failure : new NodeFailure(node.id, failure),
      atMs: momentAfter(node, record, execution.nowMs),
    };
    if (!isFailureHandled || !isFact(node, record)) return this.#end(end);
    // The container goes on after it, so it has to last first.
    this.#stop("ABORTED");
    run.activity.enter();
    run
      .save()
      .then(() => run.turn("", () => this.#options.onEnd(end)))
      .catch((problem: unknown) => run.crash(problem))
      .finally(() => run.activity.leave());
  }

  /** What an effect has done is kept before anything follows from it, and so is what is large. */
  #keep(execution: NodeExecution, record: NodeRecord): void {
    const { run } = this.#options;
    const { node, nowMs } = execution;
    run.add(record);
    const lasts = isFact(node, record);
    if (!lasts && !run.isHeavy) {
      this.#pass(node, record, nowMs);
      return;
    }
    this.#underWay.add(execution);
    const saved = lasts ? run.save() : run.relieve();
    run.activity.enter();
    saved
      .then(() => {
        this.#underWay.delete(execution);
        if (this.#isOver) return;
        this.#pass(node, record, nowMs);
        run.turn("", () => this.#pump());
      })
      .catch((error: unknown) => run.crash(error))
      .finally(() => run.activity.leave());
  }

  #pass(node: CompiledNode, record: NodeRecord, nowMs: number): void {
    const { scope, enteredMs } = this.#options;
    const handle = record.handle ?? node.defaultHandle;
    this.#nodes[node.id] = record.output;
    if (node.type === "start") showTrigger(this.#variables["trigger"], record.output);
    this.#ran.add(node);
    const atMs = momentAfter(node, record, nowMs);
    if (atMs > enteredMs) (this.#times ??= new PathTimes(scope, enteredMs)).leave(node, atMs, handle);
    for (const position of settleNode(scope, this.#plan, node.position, handle)) this.#ready.push(position);
  }

  /** The output of the last node; of several, an object by id. */
  #result(): unknown {
    const { last } = this.#options.scope;
    const [only] = last;
    if (last.length === 1 && only !== undefined)
      return (this.#ran.has(only) ? this.#nodes[only.id] : null) ?? null;
    return Object.fromEntries(
      last.filter((node) => this.#ran.has(node)).map(({ id }) => [id, this.#nodes[id]]),
    );
  }
}

export function makeRound(options: ScopeRoundOptions): ScopeRound {
  return new ScopeRun(options);
}

/** Behind `start`, expressions read the trigger laid over the defaults, as `nodes.start` shows it. */
function showTrigger(trigger: unknown, output: unknown): void {
  const { body, headers, query, method } = output as Readonly<Record<string, unknown>>;
  Object.assign(trigger as object, { body, headers, query, method });
}
