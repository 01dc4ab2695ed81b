import type { CompiledInput, CompiledNode } from "../../domain/flow/compile.ts";
import type { ExpressionEnvironment } from "../../domain/flow/expressions/compiled-expression.ts";
import { ExpressionError } from "../../domain/flow/expressions/expression-error.ts";
import { resumeKey } from "../../domain/flow/resume-target.ts";
import { evaluateTemplate } from "../../domain/flow/expressions/template.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { NodeError, type NodeServices } from "../nodes/node-type.ts";
import type { RunState } from "./run-state.ts";
import type { Variables } from "./run-types.ts";
import type { MemoryCount } from "./scope-memory.ts";

type Inputs = Record<string, unknown>;

/** A node whose inputs are evaluated. */
interface EvaluatedNode {
  readonly run: RunState;
  readonly node: CompiledNode;
  readonly nodeKey: string;
  readonly organizationId: string;
  readonly isUrgent: boolean;
  readonly services: NodeServices;
  readonly variables: Variables;
  readonly memory: MemoryCount;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly overrides: ReadonlyMap<string, unknown> | undefined;
  giveWay(): Promise<void> | undefined;
  mend<Value>(value: Value, what: "input" | "output", name?: string): Value;
  nextSeed(): string;
}

/** An input that was not evaluated yet. */
const later = Symbol("later");

/** The inputs with every expression evaluated; a Promise where one of them has to go to the sandbox. */
export function evaluateInputs(execution: EvaluatedNode): Inputs | Promise<Inputs> {
  const { overrides } = execution;
  const values: Inputs = overrides === undefined ? {} : Object.fromEntries(overrides);
  const environment = new NodeEnvironment(execution, scopeOf(execution), execution.nowMs);
  const { inputs } = execution.node;
  let bytes = 0;
  for (let position = 0; position < inputs.length; position++) {
    const input = inputs[position]!;
    // The first one comes right after the runner's own look at the clock.
    const isLate = position > 0 && eventLoop.isSliceOver();
    const value = isLate ? later : evaluateInput(execution, input, environment);
    if (value === later || value instanceof Promise)
      return evaluateRest(execution, values, environment, { position, value, bytes });
    bytes = put(execution, values, input, value, bytes);
  }
  return values;
}

/** The link to an approval is made for those who read it alone. */
function scopeOf(execution: EvaluatedNode): Variables {
  const { run, node, nodeKey } = execution;
  const variables = variablesOf(execution);
  if (node.resumes === undefined) return variables;
  const url = run.options.resumeUrl?.(resumeKey(nodeKey, node.resumes));
  return { ...variables, resume: { url } };
}

/** Where a value may hold all nodes, it holds them as they are now: the node that it becomes part of is added to them. */
function variablesOf({ node, variables }: EvaluatedNode): Variables {
  if (!node.inputs.some(({ template }) => template.readsAllNodes)) return variables;
  return { ...variables, nodes: Object.assign(Object.create(null), variables["nodes"]) };
}

/** One after the other, so that one node does not fill the sandbox's queue. */
async function evaluateRest(
  execution: EvaluatedNode,
  values: Inputs,
  environment: ExpressionEnvironment,
  from: { readonly position: number; readonly value: unknown; readonly bytes: number },
): Promise<Inputs> {
  let { bytes } = from;
  for (const [position, input] of execution.node.inputs.entries()) {
    if (position < from.position) continue;
    const isUnderWay = position === from.position && from.value !== later;
    // What is under way is awaited before anything else: it may fail at any moment.
    if (!isUnderWay) await execution.giveWay();
    const value = await (isUnderWay ? from.value : evaluateInput(execution, input, environment));
    bytes = put(execution, values, input, value, bytes);
  }
  return values;
}

/** A value that is missing is `null` to a type that knows `null`; to others both are absent. */
function put(
  execution: EvaluatedNode,
  values: Inputs,
  { name, acceptsNull }: CompiledInput,
  value: unknown,
  bytes: number,
): number {
  const sum = execution.run.values.addInput(execution.node.type, value, bytes);
  execution.memory.add(execution.run.values.newBytes);
  const kept = execution.mend(value, "input", name);
  if (acceptsNull) values[name] = kept ?? null;
  else if (kept !== undefined && kept !== null) values[name] = kept;
  return sum;
}

function evaluateInput(
  { overrides }: EvaluatedNode,
  { name, template, isDeferred }: CompiledInput,
  environment: ExpressionEnvironment,
): unknown {
  if (overrides?.has(name)) return overrides.get(name);
  if (isDeferred || template.expressions.length === 0) return template.source;
  try {
    return evaluateTemplate(template, environment);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(`input "${name}": ${error.message}`, { cause: error });
  }
}

/** Evaluates a deferred input over the value that it is about, with the moment that is now for it. */
export function evaluateDeferred(
  execution: EvaluatedNode,
  inputName: string,
  root: unknown,
  nowMs: number,
): unknown {
  const { overrides, node } = execution;
  if (overrides?.has(inputName)) return overrides.get(inputName);
  const compiled = node.inputs.find(({ name }) => name === inputName);
  if (compiled === undefined) return undefined;
  return evaluateTemplate(compiled.template, new NodeEnvironment(execution, root, nowMs));
}

/** @throws NodeError */
export function checkInputs({ node }: EvaluatedNode, values: Inputs): Inputs {
  const result = node.kind.inputs.safeParse(values);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  throw new NodeError(
    "InvalidInput",
    `The input "${path}" is not valid: ${issue?.message ?? "unknown reason"}`,
  );
}

/** What an expression of a node can reach. A class: one is made for every node of every run. */
class NodeEnvironment implements ExpressionEnvironment {
  readonly root: unknown;
  readonly nowMs: number;
  readonly #execution: EvaluatedNode;

  constructor(execution: EvaluatedNode, root: unknown, nowMs: number) {
    this.#execution = execution;
    this.root = root;
    this.nowMs = nowMs;
  }

  giveWay(): Promise<void> | undefined {
    return this.#execution.giveWay();
  }

  async evaluateUnbounded(source: string, input: unknown): Promise<unknown> {
    const { organizationId, isUrgent, signal, services } = this.#execution;
    const result = await services.sandbox.run({
      organizationId,
      isUrgent,
      language: "expression",
      source,
      input,
      signal,
      nowMs: this.nowMs,
      seed: this.#execution.nextSeed(),
    });
    return result.value;
  }
}
