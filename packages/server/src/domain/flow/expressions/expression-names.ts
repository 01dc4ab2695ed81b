import type { ExpressionNode } from "./expression-node.ts";

/** All objects of a syntax tree: its nodes, and what stands between them. */
export type ExpressionParts = readonly Partial<ExpressionNode>[];

/** The names an expression can read, an upper bound; `undefined` where it can read its whole context. */
export function namesRead(parts: ExpressionParts): ReadonlySet<string> | undefined {
  if (parts.some(readsWholeContext)) return undefined;
  return new Set(parts.filter(({ type }) => type === "name").map(({ value }) => String(value)));
}

function readsWholeContext({ type, value, arguments: args, procedure }: Partial<ExpressionNode>): boolean {
  switch (type) {
    case "wildcard":
    case "descendant":
    case "parent":
      return true;
    case "variable":
      return value === "" || value === "$";
    case "function":
      // A built-in function takes its context where its first argument is left out.
      return args?.length === 0 || procedure?.value === "lookup";
    default:
      return false;
  }
}

const clockFunctions = new Set<unknown>(["now", "millis", "toMillis"]);
const chanceFunctions = new Set<unknown>(["random", "shuffle"]);

/** Whether the moment it is evaluated at can make a difference. */
export function readsClock(parts: ExpressionParts): boolean {
  return parts.some(({ type, value }) => type === "variable" && clockFunctions.has(value));
}

/** Whether it may come to something else each time. */
export function usesChance(parts: ExpressionParts): boolean {
  return parts.some(({ type, value }) => type === "variable" && chanceFunctions.has(value));
}

/** Whether it speaks of `vars` at all. What reads its whole context without that word does not find them there. */
export function mentionsVariables(parts: ExpressionParts): boolean {
  return parts.some(({ value }) => value === "vars");
}

/** Whether it may read nodes in another way than as `nodes.<id>`. */
export function readsAllNodes(parts: ExpressionParts): boolean {
  if (parts.some(readsWholeContext)) return true;
  const mentions = parts.filter(({ type, value }) => type === "name" && value === "nodes");
  return mentions.length > parts.filter(namesOneNode).length;
}

function namesOneNode({ steps }: Partial<ExpressionNode>): boolean {
  const [first, second] = steps ?? [];
  if (first?.value !== "nodes" || second?.type !== "name") return false;
  // What stands in brackets behind it reads the nodes by their bare ids.
  return first.predicate === undefined && first.stages === undefined && first.focus === undefined;
}

/** Ids in `nodes.<id>` or names in `vars.<name>`, so that one that does not exist can be named. */
export function namesUnder(root: "nodes" | "vars", parts: ExpressionParts): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { steps } of parts) {
    if (steps?.[0]?.value === root && steps[1]?.type === "name") ids.add(String(steps[1].value));
  }
  return ids;
}
