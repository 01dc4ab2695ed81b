import type { ExpressionNode } from "./expression-node.ts";

/** The names an expression can read, an upper bound; `undefined` where it can read its whole context. */
export function namesRead(ast: ExpressionNode): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const pending: unknown[] = [ast];
  while (pending.length > 0) {
    const node = pending.pop() as Partial<ExpressionNode>;
    if (readsWholeContext(node)) return undefined;
    if (node.type === "name") names.add(String(node.value));
    for (const child of Object.values(node)) {
      if (typeof child === "object" && child !== null) pending.push(child);
    }
  }
  return names;
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
export function readsClock(ast: ExpressionNode): boolean {
  return some(ast, ({ type, value }) => type === "variable" && clockFunctions.has(value));
}

/** Whether it may come to something else each time. */
export function usesChance(ast: ExpressionNode): boolean {
  return some(ast, ({ type, value }) => type === "variable" && chanceFunctions.has(value));
}

/** Whether it speaks of `vars` at all. What reads its whole context without that word does not find them there. */
export function mentionsVariables(ast: ExpressionNode): boolean {
  return some(ast, ({ value }) => value === "vars");
}

function some(ast: ExpressionNode, isMeant: (node: Partial<ExpressionNode>) => boolean): boolean {
  const pending: unknown[] = [ast];
  while (pending.length > 0) {
    const node = pending.pop() as Partial<ExpressionNode>;
    if (isMeant(node)) return true;
    for (const child of Object.values(node)) {
      if (typeof child === "object" && child !== null) pending.push(child);
    }
  }
  return false;
}

/** Whether it may read nodes in another way than as `nodes.<id>`. */
export function readsAllNodes(ast: ExpressionNode): boolean {
  if (namesRead(ast) === undefined) return true;
  let unnamed = 0;
  const pending: unknown[] = [ast];
  while (pending.length > 0) {
    const node = pending.pop() as Partial<ExpressionNode>;
    if (node.type === "name" && node.value === "nodes") unnamed += 1;
    if (namesOneNode(node)) unnamed -= 1;
    for (const child of Object.values(node)) {
      if (typeof child === "object" && child !== null) pending.push(child);
    }
  }
  return unnamed > 0;
}

function namesOneNode({ steps }: Partial<ExpressionNode>): boolean {
  const [first, second] = steps ?? [];
  if (first?.value !== "nodes" || second?.type !== "name") return false;
  // What stands in brackets behind it reads the nodes by their bare ids.
  return first.predicate === undefined && first.stages === undefined && first.focus === undefined;
}

/** Ids in `nodes.<id>` or names in `vars.<name>`, so that one that does not exist can be named. */
export function namesUnder(root: "nodes" | "vars", ast: ExpressionNode): Set<string> {
  const ids = new Set<string>();
  const pending: unknown[] = [ast];
  while (pending.length > 0) {
    const node = pending.pop() as Partial<ExpressionNode>;
    const [first, second] = node.steps ?? [];
    if (first?.value === root && second?.type === "name") ids.add(String(second.value));
    for (const child of Object.values(node)) {
      if (typeof child === "object" && child !== null) pending.push(child);
    }
  }
  return ids;
}
