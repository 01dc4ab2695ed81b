import type { CompiledInput, CompiledNode } from "../../domain/flow/compile.ts";
import type { ExpressionEnvironment } from "../../domain/flow/expressions/compiled-expression.ts";
import { ExpressionError } from "../../domain/flow/expressions/expression-error.ts";
import { evaluateTemplate } from "../../domain/flow/expressions/template.ts";
import { wellFormed, wellFormedValue } from "../../domain/well-formed.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import type {
  EvaluationScope,
  NodeContext,
  NodeServices,
  ResolvedCredential,
  Suspension,
  TriggerEnvelope,
} from "../nodes/node-type.ts";
import { NodeError } from "../nodes/node-type.ts";
import { isInside } from "./limits.ts";
import type { RunState } from "./run-state.ts";
import type { Variables, WaitAnswer } from "./run-types.ts";
import { waitFor } from "./wait-for.ts";

const maxLogLines = 100;
const maxLogLineLength = 1_024;
/** An input that was not evaluated yet. */
const later = Symbol("later");

/** Something that runs inside a node and has to stop with it. */
export interface Haltable {
  halt(): void;
}

/** One node, once: its inputs, its log, its attempts, and the way to stop it. */
export class NodeExecution implements NodeContext {
  readonly run: RunState;
  readonly node: CompiledNode;
  readonly nodeKey: string;
  readonly variables: Variables;
  /** When it was entered first, in whatever epoch. */
  startedAt: number;
  /** Where it is known better than by when it was noticed. */
  endedAt: number | undefined;
  readonly lines: string[] = [];
  /** Rounds of a container. */
  readonly inside = new Set<Haltable>();
  credential?: ResolvedCredential;
  attempts = 0;
  input: Record<string, unknown> | undefined;
  #controller: AbortController | undefined;
  #isAttemptOver = false;
  isHalted = false;
  /** Of a node that starts another run: it has happened when the node was reached, so it is not stopped before. */
  readonly begun: PromiseWithResolvers<void> | undefined;
  #hasBegun = false;
  #isHaltDue = false;

  constructor(run: RunState, node: CompiledNode, nodeKey: string, variables: Variables) {
    this.run = run;
    this.node = node;
    this.nodeKey = nodeKey;
    this.variables = variables;
    if (node.type === "run-flow") this.begun = Promise.withResolvers();
    this.startedAt = run.moment();
  }

  get organizationId(): string {
    return this.run.options.run.organizationId;
  }
  get flowId(): string {
    return this.run.options.run.flowId;
  }
  get runId(): string {
    return this.run.options.run.id;
  }
  get attempt(): number {
    return this.run.options.run.attempt;
  }
  get depth(): number {
    return this.run.options.run.depth ?? 0;
  }
  get nodeId(): string {
    return this.node.id;
  }
  get trigger(): TriggerEnvelope {
    return this.run.options.trigger;
  }
  get services(): NodeServices {
    return this.run.options.services;
  }

  /** Made when it is asked for: most nodes end at once and never ask. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isHalted) this.#controller.abort();
    return this.#controller.signal;
  }

  log(line: string): void {
    if (this.lines.length < maxLogLines) this.lines.push(wellFormed(line.slice(0, maxLogLineLength)));
  }

  /** The run has ended, or the attempt under way. */
  get isStopped(): boolean {
    return this.isHalted || this.#isAttemptOver;
  }

  beginAttempt(): void {
    this.attempts += 1;
    this.#isAttemptOver = false;
    this.endedAt = undefined;
  }

  /** A Promise of the next turn where others have to have theirs; it rejects where the attempt has ended meanwhile. */
  giveWay(): Promise<void> | undefined {
    return eventLoop.giveWay(this.organizationId)?.then(this.#checkAttempt(this.attempts));
  }

  #checkAttempt(attempt: number): () => void {
    return () => this.check(attempt);
  }

  /** @throws where the attempt has ended meanwhile */
  check(attempt: number): void {
    if (this.isStopped || this.attempts !== attempt) throw new Error("The attempt has ended");
  }

  waitFor(suspension: Suspension): Promise<WaitAnswer["answer"]> {
    return waitFor(this, suspension);
  }

  /** Ends the attempt under way; the next one gets a signal of its own. */
  haltAttempt(): void {
    this.#isAttemptOver = true;
    this.#controller?.abort();
    this.#controller = undefined;
    for (const part of this.inside) part.halt();
    // Also what an earlier epoch has begun and this one has not come to yet.
    if (this.node.children !== undefined) this.run.withdraw(isInside(this.node, this.nodeKey), "left");
  }

  /** What it starts exists, or cannot be started. */
  markBegun(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.begun?.resolve();
    if (this.#isHaltDue) this.halt();
  }

  halt(): void {
    if (this.begun !== undefined && !this.#hasBegun) {
      this.#isHaltDue = true;
      return;
    }
    this.isHalted = true;
    this.#controller?.abort();
    for (const part of this.inside) part.halt();
  }

  evaluate(inputName: string, { item, index, input }: EvaluationScope): unknown {
    return this.evaluateOver(inputName, input === undefined ? { ...this.variables, item, index } : input);
  }

  evaluateOver(inputName: string, root: unknown): unknown {
    if (this.#overrides?.has(inputName)) return this.#overrides.get(inputName);
    const compiled = this.node.inputs.find(({ name }) => name === inputName);
    return compiled === undefined ? undefined : evaluateTemplate(compiled.template, this.#environment(root));
  }

  /** The inputs with every expression evaluated; a Promise where one of them has to go to the sandbox. */
  evaluateInputs(): Record<string, unknown> | Promise<Record<string, unknown>> {
    const values: Record<string, unknown> =
      this.#overrides === undefined ? {} : Object.fromEntries(this.#overrides);
    const environment = this.#environment(this.variables);
    let bytes = 0;
    for (const [position, input] of this.node.inputs.entries()) {
      // The first one comes right after the runner's own look at the clock.
      const isLate = position > 0 && eventLoop.isSliceOver();
      const value = isLate ? later : this.#evaluateInput(input, environment);
      if (value === later || value instanceof Promise)
        return this.#evaluateRest(values, environment, { position, value, bytes });
      bytes = this.#put(values, input, value, bytes);
    }
    return values;
  }

  /** One after the other, so that one node does not fill the sandbox's queue. */
  async #evaluateRest(
    values: Record<string, unknown>,
    environment: ExpressionEnvironment,
    from: { readonly position: number; readonly value: unknown; readonly bytes: number },
  ): Promise<Record<string, unknown>> {
    let { bytes } = from;
    for (const [position, input] of this.node.inputs.entries()) {
      if (position < from.position) continue;
      await this.giveWay();
      const isKnown = position === from.position && from.value !== later;
      const value = await (isKnown ? from.value : this.#evaluateInput(input, environment));
      bytes = this.#put(values, input, value, bytes);
    }
    return values;
  }

  /** A value that is missing is `null` to a type that knows `null`; to others both are absent. */
  #put(
    values: Record<string, unknown>,
    { name, acceptsNull }: CompiledInput,
    value: unknown,
    bytes: number,
  ): number {
    const sum = this.run.addInput(this.node.type, value, bytes);
    const kept = this.mend(`input "${name}"`, value);
    if (acceptsNull) values[name] = kept ?? null;
    else if (kept !== undefined && kept !== null) values[name] = kept;
    return sum;
  }

  /** The value that was just measured, well-formed. */
  mend<Value>(what: string, value: Value): Value {
    if (!this.run.foundBrokenText()) return value;
    this.log(`The ${what} held NUL or half a character; each was replaced by U+FFFD.`);
    return wellFormedValue(value);
  }

  #evaluateInput({ name, template, isDeferred }: CompiledInput, environment: ExpressionEnvironment): unknown {
    if (this.#overrides?.has(name)) return this.#overrides.get(name);
    if (isDeferred || template.expressions.length === 0) return template.source;
    try {
      return evaluateTemplate(template, environment);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new ExpressionError(`input "${name}": ${error.message}`, { cause: error });
    }
  }

  checkInputs(values: Record<string, unknown>): Record<string, unknown> {
    const result = this.node.kind.inputs.safeParse(values);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const path = issue?.path.map(String).join(".") ?? "";
    throw new NodeError(
      "InvalidInput",
      `The input "${path}" is not valid: ${issue?.message ?? "unknown reason"}`,
    );
  }

  get #overrides(): ReadonlyMap<string, unknown> | undefined {
    return this.run.options.overrides?.get(this.node.id);
  }

  #environment(root: unknown): ExpressionEnvironment {
    const { services } = this;
    return {
      root,
      nowMs: () => services.now(),
      giveWay: () => this.giveWay(),
      evaluateUnbounded: async (source, input) => {
        const { organizationId, signal } = this;
        const result = await services.sandbox.run({
          organizationId,
          language: "expression",
          source,
          input,
          signal,
        });
        return result.value;
      },
    };
  }
}
