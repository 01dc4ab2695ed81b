import jsonata from "jsonata";
import type { ExpressionParts } from "./expression-names.ts";
import type { ExpressionNode } from "./expression-node.ts";
import { ExpressionError } from "./expression-error.ts";
import { parseWeight } from "./parse-weight.ts";

const maxSourceLength = 4_096;
const maxDepth = 64;
/** A node of the tree lies two levels of objects below its parent where the parent keeps a list of them. */
const maxTreeDepth = 2 * maxDepth;
const maxWeight = 16_384;
/** In characters of source, with something for each expression: about 10,000 short ones. */
const maxWeightOfFlow = 500_000;
const weightOfEach = 40;
/** Of the syntax trees of a flow, with something for each expression: about 9,000 short paths, 16 MB. */
const maxPartsOfFlow = 100_000;
const partsOfEach = 6;
/** JSONata's parser goes through all steps of a path for each of them. */
const maxPathSteps = 256;

/** The expressions of the flow are too many: there is no use in reading on. */
export class FlowTooLarge extends ExpressionError {}

/** What the expressions of one flow may come to: the time to read them, and the memory they take while it is used. */
export class ParseBudget {
  #weight = 0;
  #treeParts = 0;
  #renderedParts = 0;

  /** Of all that is kept: of the syntax trees, and of the values that they stand in. */
  get parts(): number {
    return this.#treeParts + this.#renderedParts;
  }

  /** @throws FlowTooLarge */
  spendTime(weight: number): void {
    this.#weight += weight + weightOfEach;
    if (this.#weight > maxWeightOfFlow) throw tooManyExpressions();
  }

  /** @throws FlowTooLarge */
  spendMemory(treeParts: number): void {
    this.#treeParts += treeParts + partsOfEach;
    if (this.#treeParts > maxPartsOfFlow) throw tooManyExpressions();
  }

  /** Places of expressions, and what stands beside them and is rendered with them: as many as the document holds. */
  addRendered(parts: number): void {
    this.#renderedParts += parts;
  }
}

function tooManyExpressions(): FlowTooLarge {
  return new FlowTooLarge(
    "the flow has too many expressions, or they are too long; split it into several flows",
  );
}

/** @throws ExpressionError */
export function parseExpression(
  source: string,
  budget: ParseBudget,
): { readonly ast: ExpressionNode; readonly parts: ExpressionParts } {
  if (source === "") throw new ExpressionError("it is empty");
  if (source.length > maxSourceLength) {
    throw new ExpressionError(`it has more than ${maxSourceLength} characters; split it into several nodes`);
  }
  const { weight, depth } = parseWeight(source);
  if (depth > maxTreeDepth) throw tooDeep();
  if (weight > maxWeight) {
    throw new ExpressionError("it nests the operators ?? and ?: too deeply; split it into several nodes");
  }
  budget.spendTime(weight);
  if ((source.match(/\.(?!\d)/g)?.length ?? 0) > maxPathSteps) {
    throw new ExpressionError(`its paths have more than ${maxPathSteps} steps; split it into several nodes`);
  }
  const ast = parse(source);
  const parts = safePartsOf(ast);
  budget.spendMemory(parts.length);
  return { ast, parts };
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

/** @throws ExpressionError for what is not safe to evaluate. */
function safePartsOf(ast: ExpressionNode): ExpressionParts {
  const parts: Partial<ExpressionNode>[] = [ast];
  let next = 0;
  for (let depth = 1; next < parts.length; depth += 1) {
    if (depth > maxTreeDepth) throw tooDeep();
    for (const end = parts.length; next < end; next += 1) {
      const part = parts[next]!;
      if (part.type === "variable" && part.value === "eval")
        throw new ExpressionError("$eval is not available: data is never evaluated");
      for (const child of Object.values(part)) {
        if (typeof child === "object" && child !== null) parts.push(child as Partial<ExpressionNode>);
      }
    }
  }
  return parts;
}

function tooDeep(): ExpressionError {
  return new ExpressionError(`it nests deeper than ${maxDepth} levels; split it into several nodes`);
}
