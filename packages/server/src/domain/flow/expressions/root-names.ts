import type { ExpressionNode } from "./expression-node.ts";

/**
 * The names that an expression reads directly out of its scope, such as `data` in `data.lines[price > 3].name`. Names
 * inside of a path, a filter or a sort belong to the value there. Where it is not sure, a name is left out.
 */
export function rootNames(ast: ExpressionNode): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: (ExpressionNode | undefined)[] = [ast];
  while (pending.length > 0) {
    const node = pending.pop();
    if (node === undefined) continue;
    const { type, steps, expressions = [], arguments: args = [] } = node as Partial<ExpressionNode>;
    if (type === "name") names.add(String(node.value));
    // A sub-expression in the place of the first step sees the scope; whatever follows sees what that has found.
    else if (type === "path") pending.push(steps?.[0]);
    else if (type !== undefined && IN_SCOPE.has(type))
      pending.push(...expressions, ...args, ...operandsOf(node));
  }
  return names;
}

/** Parts of these are evaluated over what they stand in themselves. */
const IN_SCOPE = new Set([
  "binary",
  "unary",
  "block",
  "condition",
  "function",
  "partial",
  "bind",
  "apply",
  "lambda",
]);

function operandsOf(node: ExpressionNode): (ExpressionNode | undefined)[] {
  const { lhs, rhs, expression, condition, body } = node as ExpressionNode & { body?: ExpressionNode };
  return [...pairsOf(lhs), rhs, expression, condition, node.then, node.else, body];
}

/** The left side of an operator, or the pairs of an object. */
function pairsOf(lhs: unknown): ExpressionNode[] {
  return [lhs].flat(2).filter((part): part is ExpressionNode => typeof part === "object" && part !== null);
}
