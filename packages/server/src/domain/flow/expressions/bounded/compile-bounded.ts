import { ExpressionError } from "../expression-error.ts";
import type { ExpressionNode, ExpressionStage } from "../expression-node.ts";
import { NotBounded } from "../meter.ts";
import type { Run } from "./evaluation.ts";
import { callFunction, findFunction } from "./functions.ts";
import { compileBinary } from "./operators.ts";
import {
  compileIndexFilter,
  compileName,
  compilePath,
  compilePredicate,
  type Filter,
  type Step,
} from "./path.ts";
import { append, isNumeric, toBoolean } from "./values.ts";

/**
 * Compiles an expression whose cost is known (paths, filters, literals, operators, conditionals, constructors and cheap
 * functions) to synchronous code with JSONata's own results. `undefined` for everything else.
 */
export function compileBounded(ast: ExpressionNode): Run | undefined {
  try {
    return compileNode(ast);
  } catch (error) {
    if (error instanceof NotBounded) return undefined;
    throw error;
  }
}

function compileNode(node: ExpressionNode): Run {
  refuseMarks(node);
  const filters = compileFilters(node.predicate);
  if (filters.length === 0 && isLiteral(node)) return compileLiteral(node.value);
  const run = compileKind(node);
  const keepArray = node.keepArray === true;
  return (evaluation, context) => {
    evaluation.spend(1);
    let result = run(evaluation, context);
    for (const filter of filters) result = filter(evaluation, result);
    return evaluation.unwrap(result, keepArray);
  };
}

/** They change what a part of an expression means, in ways that are left to the sandbox. */
function refuseMarks({ group, tuple, focus, index }: ExpressionNode): void {
  if (group !== undefined || tuple || focus !== undefined || index !== undefined) throw new NotBounded();
}

const LITERALS: ReadonlySet<unknown> = new Set(["string", "number", "value"]);

function isLiteral({ type }: ExpressionNode): boolean {
  return LITERALS.has(type);
}

function compileLiteral(value: unknown): Run {
  return (evaluation) => {
    evaluation.spend(1);
    return value;
  };
}

function compileKind(node: ExpressionNode): Run {
  if (isLiteral(node)) return compileLiteral(node.value);
  switch (node.type) {
    case "name":
      return compileName(String(node.value));
    case "variable":
      return compileVariable(node.value);
    case "path":
      return compilePath(required(node.steps).map(compileStep), node.keepSingletonArray === true);
    case "binary":
      return required(compileBinary(node.value, compileChild(node.lhs), compileChild(node.rhs)));
    case "unary":
      return compileUnary(node);
    case "condition":
      return compileCondition(node);
    case "block":
      return compileBlock(required(node.expressions));
    case "function":
      return compileCall(node, undefined);
    case "apply":
      if (node.rhs?.type !== "function" || node.rhs.predicate !== undefined) throw new NotBounded();
      return compileCall(node.rhs, compileChild(node.lhs));
    default:
      throw new NotBounded();
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new NotBounded();
  return value;
}

function compileChild(child: unknown): Run {
  return compileNode(required(child) as ExpressionNode);
}

function compileStep(node: ExpressionNode): Step {
  refuseMarks(node);
  const { type, predicate, stages, keepArray } = node;
  if (type === "name" && predicate === undefined && stages === undefined && !keepArray)
    return String(node.value);
  return {
    run: compileNode(node),
    filters: compileFilters(node.stages),
    isVariable: node.type === "variable",
    isConstructedArray: node.consarray === true,
  };
}

const NO_FILTERS: readonly Filter[] = [];

function compileFilters(stages: readonly ExpressionStage[] | undefined): readonly Filter[] {
  if (stages === undefined) return NO_FILTERS;
  // The other kind of stage stands only in steps with `tuple`, which are left to the sandbox.
  return stages.map(({ expr }) =>
    expr.type === "number" ? compileIndexFilter(expr.value as number) : compilePredicate(compileNode(expr)),
  );
}

function compileVariable(name: unknown): Run {
  if (name === "$") return (evaluation) => evaluation.root;
  if (name !== "") throw new NotBounded();
  return (evaluation, context) =>
    context !== undefined && context === evaluation.outerWrapper ? evaluation.root : context;
}

function compileUnary(node: ExpressionNode): Run {
  switch (node.value) {
    case "-":
      return compileNegation(compileChild(node.expression));
    case "[":
      return compileArray(node);
    case "{":
      return compileObject(node.lhs as readonly (readonly [ExpressionNode, ExpressionNode])[]);
    default:
      throw new NotBounded();
  }
}

function compileNegation(operand: Run): Run {
  return (evaluation, context) => {
    const value = operand(evaluation, context);
    if (value === undefined) return undefined;
    if (!isNumeric(value)) throw new ExpressionError("the value after - is not a number");
    return -value;
  };
}

function compileArray(node: ExpressionNode): Run {
  const items = required(node.expressions).map((item) => ({
    run: compileNode(item),
    nests: item.value === "[",
  }));
  const isConstructed = node.consarray === true;
  return (evaluation, context) => {
    let result: unknown[] = [];
    for (const { run, nests } of items) {
      const value = run(evaluation, context);
      if (value === undefined) continue;
      if (nests) result.push(value);
      else result = append(evaluation, result, value) as unknown[];
    }
    if (isConstructed) evaluation.markConstructed(result);
    return result;
  };
}

/** Over a list the constructor groups: items with the same key are the context of one value. */
function compileObject(pairs: readonly (readonly [ExpressionNode, ExpressionNode])[]): Run {
  const entries = pairs.map(([key, value]) => ({ key: compileNode(key), value: compileNode(value) }));
  return (evaluation, context) => {
    const items: readonly unknown[] =
      Array.isArray(context) && context.length > 0 ? context : [itemOf(context)];
    const groups = new Map<string, { pair: number; context: unknown }>();
    for (const item of items) {
      evaluation.spend(entries.length);
      for (const [pair, entry] of entries.entries()) {
        const key = entry.key(evaluation, item);
        if (key === undefined) continue;
        if (typeof key !== "string") throw new ExpressionError("a key of an object is not a text");
        evaluation.spendText(key.length);
        const group = groups.get(key);
        if (key === "__proto__" || (group !== undefined && group.pair !== pair)) {
          throw new ExpressionError(`the key "${key}" cannot be used here`);
        }
        if (group === undefined) groups.set(key, { pair, context: item });
        else group.context = append(evaluation, group.context, item);
      }
    }
    const result: Record<string, unknown> = {};
    for (const [key, group] of groups) {
      const value = entries[group.pair]?.value(evaluation, group.context);
      if (value !== undefined) result[key] = value;
    }
    return result;
  };
}

/** An empty list is no context. */
function itemOf(context: unknown): unknown {
  return Array.isArray(context) ? undefined : context;
}

function compileCondition(node: ExpressionNode): Run {
  const condition = compileChild(node.condition);
  const then = compileChild(node.then);
  const otherwise: Run = node.else === undefined ? () => undefined : compileNode(node.else);
  return (evaluation, context) =>
    (toBoolean(evaluation, condition(evaluation, context)) ? then : otherwise)(evaluation, context);
}

function compileBlock(expressions: readonly ExpressionNode[]): Run {
  const runs = expressions.map(compileNode);
  return (evaluation, context) => {
    let result: unknown;
    for (const run of runs) result = run(evaluation, context);
    return result;
  };
}

function compileCall(node: ExpressionNode, applied: Run | undefined): Run {
  if (node.procedure?.type !== "variable" || node.procedure.predicate !== undefined) throw new NotBounded();
  const runs = required(node.arguments).map(compileNode);
  if (applied !== undefined) runs.unshift(applied);
  const name = String(node.procedure.value);
  const found = required(findFunction(name, runs.length));
  return (evaluation, context) => {
    const args = runs.map((run) => run(evaluation, context));
    return callFunction(name, found, evaluation, args);
  };
}
