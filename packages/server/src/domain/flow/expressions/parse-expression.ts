import jsonata from "jsonata";
import type { ExpressionNode } from "./expression-node.ts";
import { ExpressionError } from "./expression-error.ts";
import { parseWeight } from "./parse-weight.ts";

const maxSourceLength = 4_096;
const maxDepth = 64;
const maxWeight = 16_384;
/** In characters of source, with something for each expression: about 10,000 short ones. */
const maxWeightOfFlow = 500_000;
const weightOfEach = 40;
/** JSONata's parser goes through all steps of a path for each of them. */
const maxPathSteps = 256;

/** The expressions of the flow are too many: there is no use in reading on. */
export class FlowTooLarge extends ExpressionError {}

/** What the expressions of one flow may weigh together: they are kept in memory for as long as the flow is used. */
export class ParseBudget {
  #left = maxWeightOfFlow;

  /** @throws FlowTooLarge */
  spend(weight: number): void {
    this.#left -= weight + weightOfEach;
    if (this.#left < 0)
      throw new FlowTooLarge("the expressions of the flow are too many; split the flow into several");
  }
}

/** @throws ExpressionError */
export function parseExpression(source: string, budget: ParseBudget): ExpressionNode {
  if (source === "") throw new ExpressionError("it is empty");
  if (source.length > maxSourceLength) {
    throw new ExpressionError(`it has more than ${maxSourceLength} characters; split it into several nodes`);
  }
  const weight = parseWeight(source);
  if (weight > maxWeight) {
    throw new ExpressionError("it nests the operators ?? and ?: too deeply; split it into several nodes");
  }
  budget.spend(weight);
  if ((source.match(/\.(?!\d)/g)?.length ?? 0) > maxPathSteps) {
    throw new ExpressionError(`its paths have more than ${maxPathSteps} steps; split it into several nodes`);
  }
  const ast = parse(source);
  refuseUnsafe(ast);
  return ast;
}

function parse(source: string): ExpressionNode {
  try {
    return jsonata(source).ast() as ExpressionNode;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    // JSONata throws plain objects with a message; a regular expression that cannot be read is a SyntaxError.
    throw new ExpressionError((error as { message: string }).message, { cause: error });
  }
}

function refuseUnsafe(ast: ExpressionNode): void {
  let level: unknown[] = [ast];
  for (let depth = 1; level.length > 0; depth += 1) {
    // A node of the tree lies two levels of objects below its parent where the parent keeps a list of them.
    if (depth > 2 * maxDepth) throw tooDeep();
    level = level.flatMap((value) => {
      const node = value as Partial<ExpressionNode>;
      if (node.type === "variable" && node.value === "eval") {
        throw new ExpressionError("$eval is not available: data is never evaluated");
      }
      return Object.values(value as object).filter((child) => typeof child === "object" && child !== null);
    });
  }
}

function tooDeep(): ExpressionError {
  return new ExpressionError(`it nests deeper than ${maxDepth} levels; split it into several nodes`);
}
