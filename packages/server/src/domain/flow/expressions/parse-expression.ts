import jsonata from "jsonata";
import type { ExpressionNode } from "./expression-node.ts";
import { ExpressionError } from "./expression-error.ts";

const maxSourceLength = 4_096;
const maxDepth = 64;
/** JSONata's parser copies the left side of each, so that nested ones double in size with every level. */
const maxDefaultOperators = 8;

export function parseExpression(source: string): ExpressionNode {
  if (source === "") throw new ExpressionError("it is empty");
  if (source.length > maxSourceLength) {
    throw new ExpressionError(`it has more than ${maxSourceLength} characters; split it into several nodes`);
  }
  if (countDefaultOperators(source) > maxDefaultOperators) {
    throw new ExpressionError(`it has more than ${maxDefaultOperators} of the operators ?? and ?:`);
  }
  const ast = parse(source);
  refuseUnsafe(ast);
  return ast;
}

function countDefaultOperators(source: string): number {
  return source.match(/\?\?|\?:/g)?.length ?? 0;
}

function parse(source: string): ExpressionNode {
  try {
    return jsonata(source).ast() as ExpressionNode;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    // JSONata throws plain objects with a message; a regular expression that cannot be read is a SyntaxError.
    const reason = (error as { message?: unknown }).message;
    throw new ExpressionError(typeof reason === "string" ? reason : "it cannot be read", { cause: error });
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
