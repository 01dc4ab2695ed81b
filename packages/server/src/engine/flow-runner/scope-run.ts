import type { CompiledNode } from "../../domain/flow/compile.ts";
import { errorHandle } from "../../domain/flow/handles.ts";
import { type Plan, settleNode, startPlan } from "../../domain/flow/plan.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { cameTo } from "../../lifecycle/under-way.ts";
import { takeNext } from "../../domain/flow/take-next.ts";
import { describeError } from "./error-text.ts";
import { executeNode, type FailedAttempt } from "./execute-node.ts";
import { failedAttemptOf, failureOfRound } from "./earlier-failures.ts";
import { isInRound } from "./left-behind.ts";
import { hasPassed, isFact, knownOf, momentAfter } from "./memory.ts";
import { NodeExecution } from "./node-execution.ts";
import { PathTimes } from "./path-times.ts";
import { ScopeMemory } from "./scope-memory.ts";
import { NodeFailure, type ScopeEnd, type ScopeRound, type ScopeRoundOptions } from "./scope-types.ts";
import type { ExecutionOutcome, InterruptedStatus, NodeRecord, Variables } from "./run-types.ts";
import { outputsBefore, rememberedWinners, resultOf, showTrigger, winnerOf } from "./ways.ts";

/** Runs the nodes of a scope as their edges allow, those without work outside one after the other in one go. */
class ScopeRun implements ScopeRound {
  readonly #options: ScopeRoundOptions;
  readonly #variables: Variables;
  /** Outputs by node id: what was known before, and what this round makes. */
  readonly #nodes: Record<string, unknown>;
  readonly #ran = new Set<CompiledNode>();
  readonly #underWay = new Set<NodeExecution>();
  readonly #memory: ScopeMemory;
  #resultBytes = 0;
  readonly #plan: Plan;
  readonly #ready: number[];
  /** From the first fact on. */
  #times: PathTimes | undefined;
  #isPumping = false;
  #isOver = false;
  /** Every node so far has ended at once: they have one order, whenever they are executed. */
  #hasOneOrder = true;

  constructor(options: ScopeRoundOptions) {
    this.#options = options;
    // Without a prototype, so that a node may be called anything.
    this.#nodes = Object.assign(Object.create(null) as Record<string, unknown>, options.nodes);
    this.#variables = { ...options.variables, nodes: this.#nodes };
    this.#memory = new ScopeMemory(options.memory);
    const { plan, ready } = startPlan(options.scope, rememberedWinners(options));
    this.#plan = plan;
    this.#ready = ready;
  }

  start(): void {
    const earlier = failureOfRound(this.#options);
    if (earlier === undefined) return this.#pump();
    this.#options.run.withdraw(isInRound(this.#options), "left");
    this.#end({ kind: "failed", ...earlier });
  }

  halt(status: InterruptedStatus | undefined): void {
    if (this.#isOver) return;
    this.#stop(status);
    this.#options.onEnd({ kind: "halted" });
  }

  /** Nothing begins any more, and what is under way ends here. */
  #stop(status: InterruptedStatus | undefined): void {
    this.#isOver = true;
    this.#memory.end(this.#resultBytes);
    for (const execution of this.#underWay) execution.interrupt(status);
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
        const isUrgent = this.#ready.some((position) => scope.nodes[position]!.urgency < 2);
        run.activity.enter();
        eventLoop.queue(run.options.run.organizationId, () => this.#pumpOn(), { isUrgent });
        return;
      }
      const room = run.options.memory?.room();
      if (room !== undefined) {
        run.activity.enter();
        void room.then(() => this.#pumpOn());
        return;
      }
      this.#begin(takeNext(scope, this.#ready));
    }
    this.#isPumping = false;
    if (this.#isOver || this.#underWay.size > 0) return;
    this.#end({
      kind: "done",
      result: resultOf(scope, this.#ran, this.#nodes),
      nodes: this.#nodes,
      atMs: this.#times?.latestMs ?? this.#options.enteredMs,
    });
  }

  /** After others had their turn, or gave back what they held. */
  #pumpOn(): void {
    const { run } = this.#options;
    this.#isPumping = false;
    run.turn("", () => this.#pump());
    run.activity.leave();
  }

  #begin(node: CompiledNode): void {
    const { run, scope, keyOf, isFailureHandled } = this.#options;
    const nodeKey = keyOf(node.id);
    const nowMs = this.#times?.at(node) ?? this.#options.enteredMs;
    const record = run.options.checkpoints.restored.get(nodeKey);
    if (record !== undefined && hasPassed(record)) {
      this.#hasOneOrder = false;
      this.#pass(node, record, nowMs);
      return;
    }
    const joinedFrom = winnerOf(scope, this.#plan, node);
    const place = {
      nodeKey,
      variables: this.#variablesOf(node),
      memory: this.#memory,
      nowMs,
      isFailureHandled,
      joinedFrom,
    };
    const execution = new NodeExecution(run, node, place, record && knownOf(node, record));
    const { startedAt } = execution;
    run.options.onNode?.({ nodeKey, nodeId: node.id, type: node.type, status: "EXECUTING", startedAt });
    cameTo(nodeKey);
    if (execution.begun !== undefined) void run.complete(execution.begun.promise);
    if (joinedFrom === undefined || this.#hasOneOrder || record?.joinedFrom !== undefined)
      this.#execute(execution, failedAttemptOf(record));
    else this.#rememberJoin(execution);
  }

  #variablesOf(node: CompiledNode): Variables {
    if (!node.readsAside) return this.#variables;
    const parts = { plan: this.#plan, ran: this.#ran, outputs: this.#nodes };
    return { ...this.#variables, nodes: outputsBefore(node, this.#options, parts) };
  }

  /** Which way was first could not be found out again: it is saved before the node begins. */
  #rememberJoin(execution: NodeExecution): void {
    const { run } = this.#options;
    this.#underWay.add(execution);
    run.follow(execution.nodeKey, run.remember(execution), () => {
      this.#underWay.delete(execution);
      if (this.#isOver && execution.begun === undefined) return;
      this.#execute(execution);
      this.#pump();
    });
  }

  #execute(execution: NodeExecution, failed?: FailedAttempt): void {
    const { run } = this.#options;
    // A node inside of a container may end the run before the call returns: the container has to hear of it.
    if (execution.node.children !== undefined) this.#underWay.add(execution);
    const outcome = run.size.countExecution() ?? executeNode(execution, makeRound, failed);
    if (!(outcome instanceof Promise)) {
      this.#underWay.delete(execution);
      execution.markBegun();
      if (!this.#isOver) this.#settle(execution, outcome);
      return;
    }
    this.#hasOneOrder = false;
    this.#underWay.add(execution);
    run.follow(execution.nodeKey, outcome, (value) => this.#resume(execution, value));
  }

  #resume(execution: NodeExecution, outcome: ExecutionOutcome): void {
    execution.markBegun();
    this.#underWay.delete(execution);
    if (this.#isOver) return;
    this.#settle(execution, outcome);
    this.#pump();
  }

  #settle(execution: NodeExecution, outcome: ExecutionOutcome): void {
    const { run, scope } = this.#options;
    const { node } = execution;
    const fault = run.values.faultOf(outcome);
    if (fault !== undefined) return this.#fail(execution, fault);
    switch (outcome.kind) {
      case "output": {
        const { handle = node.defaultHandle, factAt } = outcome;
        this.#memory.add(run.values.newBytes);
        if (scope.last.includes(node)) this.#resultBytes += run.values.heldBytes;
        const output = execution.mend(outcome.output, "output");
        return this.#keep(
          execution,
          run.endRecord(execution, { status: "COMPLETED", output, handle, factAt }),
        );
      }
      case "return": {
        const output = execution.mend(outcome.value, "output");
        const last = run.endRecord(execution, { status: "COMPLETED", output });
        run.add(last);
        return run.end({ kind: "completed", output, last });
      }
      case "fail": {
        const { error } = outcome;
        const last = run.endRecord(execution, { status: "FAILED", error });
        run.add(last);
        return run.end({ kind: "failed", error: { ...error, nodeId: node.id }, isDeliberate: true, last });
      }
      case "error":
        return this.#fail(execution, outcome.error);
    }
  }

  #fail(execution: NodeExecution, failure: unknown): void {
    const { run, isFailureHandled, enteredMs } = this.#options;
    const { node } = execution;
    const error = describeError(failure);
    execution.leaveRounds();
    if (node.onError !== "fail") {
      const handle = node.onError === "branch" ? errorHandle : node.defaultHandle;
      this.#keep(execution, run.endRecord(execution, { status: "FAILED", output: { error }, handle, error }));
      return;
    }
    const factAt = execution.nowMs > enteredMs ? execution.nowMs : undefined;
    const record = run.endRecord(execution, { status: "FAILED", error, factAt });
    run.add(record);
    const atMs = momentAfter(node, record, execution.nowMs);
    const end: ScopeEnd = { kind: "failed", failure: NodeFailure.of(node.id, failure), atMs };
    if (!isFailureHandled) return this.#end(end);
    // The container goes on once this lasts, without what an earlier epoch began here and this one has not reached.
    run.withdraw(isInRound(this.#options), "left");
    if (!isFact(node, record)) return this.#end(end);
    this.#stop("ABORTED");
    run.follow("", run.save(), () => this.#options.onEnd(end));
  }

  /**
   * What an effect has done is kept before anything follows from it, and so is what is large. What was only looked up has
   * time until the next effect.
   */
  #keep(execution: NodeExecution, record: NodeRecord): void {
    const { run } = this.#options;
    const { node, nowMs } = execution;
    run.add(record);
    const isFound = execution.isLookUp && record.status === "COMPLETED";
    if (isFound) run.saveSoon();
    const lasts = !isFound && isFact(node, record);
    if (!lasts && !run.isHeavy) {
      this.#pass(node, record, nowMs);
      return;
    }
    this.#hasOneOrder = false;
    this.#underWay.add(execution);
    run.follow("", lasts ? run.save() : run.relieve(), () => {
      this.#underWay.delete(execution);
      if (this.#isOver) return;
      this.#pass(node, record, nowMs);
      this.#pump();
    });
  }

  #pass(node: CompiledNode, record: NodeRecord, nowMs: number): void {
    const { scope, enteredMs } = this.#options;
    const handle = record.handle ?? node.defaultHandle;
    this.#nodes[node.id] = record.output;
    if (node.type === "start") showTrigger(this.#variables["trigger"], record.output);
    this.#ran.add(node);
    for (const position of settleNode(scope, this.#plan, node.position, handle)) this.#ready.push(position);
    const atMs = momentAfter(node, record, nowMs);
    if (atMs <= enteredMs) return;
    this.#times ??= new PathTimes(scope, enteredMs);
    this.#times.leave(node, { atMs, handle, winners: this.#plan.winners });
  }
}

export function makeRound(options: ScopeRoundOptions): ScopeRound {
  return new ScopeRun(options);
}
