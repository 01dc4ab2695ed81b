import type { CompiledNode } from "../../domain/flow/compile.ts";
import { errorHandle } from "../../domain/flow/handles.ts";
import { type Plan, settleNode, startPlan } from "../../domain/flow/plan.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { cameTo } from "../../lifecycle/under-way.ts";
import { describeError } from "./error-text.ts";
import { executeNode } from "./execute-node.ts";
import { NodeExecution } from "./node-execution.ts";
import { NodeFailure, type ScopeEnd, type ScopeRound, type ScopeRoundOptions } from "./scope-types.ts";
import type { ExecutionOutcome, NodeRecord, Variables } from "./run-types.ts";

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
    this.#pump();
  }

  halt(): void {
    this.#end({ kind: "halted" });
  }

  #end(end: ScopeEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const execution of this.#underWay) execution.halt();
    this.#options.onEnd(end);
  }

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    const { run, scope } = this.#options;
    for (let next = 0; next < this.#ready.length && !this.#isOver; next += 1) {
      if (eventLoop.isSliceOver()) {
        this.#ready.splice(0, next);
        run.activity.enter();
        eventLoop.queue(run.options.run.organizationId, () => {
          this.#isPumping = false;
          run.turn("", () => this.#pump());
          run.activity.leave();
        });
        return;
      }
      this.#begin(scope.nodes[this.#ready[next] as number] as CompiledNode);
    }
    this.#ready.length = 0;
    this.#isPumping = false;
    if (this.#isOver || this.#underWay.size > 0) return;
    this.#end({ kind: "done", result: this.#result(), nodes: this.#nodes });
  }

  #begin(node: CompiledNode): void {
    const { run, keyOf } = this.#options;
    const nodeKey = keyOf(node.id);
    const record = run.options.checkpoints.restored.get(nodeKey);
    // A failure that was not handled has ended an earlier attempt of the run: that node is tried again.
    if (record !== undefined && (record.status === "COMPLETED" || record.handle != null)) {
      this.#pass(node, record.output, record.handle ?? node.defaultHandle);
      return;
    }
    const execution = new NodeExecution(run, node, nodeKey, this.#variables);
    const { startedAt } = execution;
    run.options.onNode?.({ nodeKey, nodeId: node.id, type: node.type, status: "EXECUTING", startedAt });
    cameTo(nodeKey);
    const outcome = run.countExecution() ?? executeNode(execution, makeRound);
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
      case "output":
        return this.#complete(
          execution,
          execution.mend("output", outcome.output),
          outcome.handle ?? node.defaultHandle,
        );
      case "return": {
        const output = execution.mend("output", outcome.value);
        run.add(toRecord(execution, { status: "COMPLETED", output }));
        return run.end({ kind: "completed", output });
      }
      case "error":
        return this.#fail(execution, outcome.error);
    }
  }

  #complete(execution: NodeExecution, output: Record<string, unknown>, handle: string): void {
    this.#keep(execution, toRecord(execution, { status: "COMPLETED", output, handle }));
  }

  #fail(execution: NodeExecution, error: unknown): void {
    const { node } = execution;
    const text = describeError(error);
    if (node.onError !== "fail") {
      const handle = node.onError === "branch" ? errorHandle : node.defaultHandle;
      this.#keep(
        execution,
        toRecord(execution, { status: "FAILED", output: { error: text }, handle, error: text }),
      );
      return;
    }
    this.#options.run.add(toRecord(execution, { status: "FAILED", error: text }));
    this.#end({
      kind: "failed",
      failure: error instanceof NodeFailure ? error : new NodeFailure(node.id, error),
    });
  }

  /** What an effect has done is kept before anything follows from it, and so is what is large. */
  #keep(execution: NodeExecution, record: NodeRecord): void {
    const { run } = this.#options;
    const { node } = execution;
    run.add(record);
    if (!node.kind.effect && !run.isHeavy) {
      this.#pass(node, record.output, record.handle as string);
      return;
    }
    this.#underWay.add(execution);
    const saved = node.kind.effect ? run.save() : run.relieve();
    run.activity.enter();
    saved
      .then(() => {
        this.#underWay.delete(execution);
        if (this.#isOver) return;
        this.#pass(node, record.output, record.handle as string);
        run.turn("", () => this.#pump());
      })
      .catch((error: unknown) => run.crash(error))
      .finally(() => run.activity.leave());
  }

  #pass(node: CompiledNode, output: unknown, handle: string): void {
    this.#nodes[node.id] = output;
    if (node.type === "start") showTrigger(this.#variables["trigger"], output);
    this.#ran.add(node);
    for (const position of settleNode(this.#options.scope, this.#plan, node.position, handle))
      this.#ready.push(position);
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

function toRecord(
  execution: NodeExecution,
  end: Pick<NodeRecord, "status"> & Partial<Pick<NodeRecord, "output" | "handle" | "error">>,
): NodeRecord {
  const { node, nodeKey, startedAt, attempts, input, lines, run } = execution;
  const record = {
    nodeKey,
    nodeId: node.id,
    type: node.type,
    status: end.status,
    startedAt,
    endedAt: execution.endedAt ?? run.moment(),
    attempts,
    input,
    output: end.output,
    handle: end.handle,
    error: end.error,
    log: lines,
  };
  run.options.onNode?.(record);
  run.options.onRecord?.(record);
  return record;
}

/** Behind `start`, expressions read the trigger laid over the defaults, as `nodes.start` shows it. */
function showTrigger(trigger: unknown, output: unknown): void {
  const { body, headers, query, method } = output as Readonly<Record<string, unknown>>;
  Object.assign(trigger as object, { body, headers, query, method });
}
