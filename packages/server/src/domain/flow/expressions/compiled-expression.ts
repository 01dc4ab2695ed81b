import { compileBounded } from "./bounded/compile-bounded.ts";
import { Evaluation, type Run } from "./bounded/evaluation.ts";
import { ExpressionError } from "./expression-error.ts";
import {
  mentionsVariables,
  namesRead,
  namesUnder,
  readsAllNodes,
  readsClock,
  usesChance,
} from "./expression-names.ts";
import { Meter, NotBounded } from "./meter.ts";
import { rootNames } from "./root-names.ts";
import { ParseBudget, parseExpression } from "./parse-expression.ts";

/** What one expression may spend in place, about a millisecond; what needs more goes to the sandbox. */
const maxSteps = 100_000;

export interface CompiledExpression {
  readonly source: string;
  /** Present where the cost is known, so that it runs in place. */
  readonly run: Run | undefined;
  /** Keys of the context that it can read; `undefined`: any. */
  readonly names: ReadonlySet<string> | undefined;
  /** Names that it reads directly out of its scope. */
  readonly roots: ReadonlySet<string>;
  /** Ids that it reads as `nodes.<id>`. */
  readonly nodes: ReadonlySet<string>;
  /** Names that it reads as `vars.<name>`; `undefined`: it does not speak of them. */
  readonly vars: ReadonlySet<string> | undefined;
  /** It may read nodes in another way too. */
  readonly readsAllNodes: boolean;
  readonly readsClock: boolean;
  /** It may come to something else each time, so each place has a value of its own. */
  readonly usesChance: boolean;
}

export interface ExpressionEnvironment {
  /** What the expression is evaluated over: the scope of a node, or one value. */
  readonly root: unknown;
  readonly nowMs: number;
  evaluateUnbounded(source: string, root: unknown): Promise<unknown>;
  /** A Promise where others have to have their turn before the next expression. */
  readonly giveWay?: () => Promise<void> | undefined;
}

export function compileExpression(source: string, budget = new ParseBudget()): CompiledExpression {
  const { ast, parts } = parseExpression(source, budget);
  return {
    source,
    run: compileBounded(ast),
    names: namesRead(parts),
    roots: rootNames(ast),
    nodes: namesUnder("nodes", parts),
    vars: mentionsVariables(parts) ? namesUnder("vars", parts) : undefined,
    readsAllNodes: readsAllNodes(parts),
    readsClock: readsClock(parts),
    usesChance: usesChance(parts),
  };
}

/** Its value, if it can be had in place; a Promise of it from the sandbox otherwise. */
export function evaluateExpression(
  expression: CompiledExpression,
  environment: ExpressionEnvironment,
): unknown {
  if (expression.run === undefined) return evaluateOutside(expression, environment);
  try {
    return evaluateInPlace(expression.run, environment, new Meter(maxSteps));
  } catch (error) {
    if (error instanceof NotBounded) return evaluateOutside(expression, environment);
    throw error;
  }
}

/** @throws NotBounded where it turns out to need the sandbox, or more than the meter has left. */
export function evaluateInPlace(run: Run, { root, nowMs }: ExpressionEnvironment, meter: Meter): unknown {
  try {
    const evaluation = new Evaluation(root, nowMs, meter);
    return run(evaluation, evaluation.context);
  } catch (error) {
    if (error instanceof RangeError) throw new ExpressionError("the data nests too deeply", { cause: error });
    throw error;
  }
}

/** Only what the expression can read is copied into the sandbox. */
function evaluateOutside(
  { source, names }: CompiledExpression,
  environment: ExpressionEnvironment,
): Promise<unknown> {
  const { root } = environment;
  if (names === undefined || typeof root !== "object" || root === null || Array.isArray(root)) {
    return environment.evaluateUnbounded(source, root);
  }
  const readable = Object.entries(root).filter(([key]) => names.has(key));
  return environment.evaluateUnbounded(source, Object.fromEntries(readable));
}
