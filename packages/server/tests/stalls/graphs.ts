import type { Recipe } from "./recipes.ts";

interface RecipeNode {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly [key: string]: Recipe };
  readonly parentId?: string;
}

/** A node as a canvas saves it; the words of a case. */
export function step(
  id: string,
  type: string,
  inputs: { readonly [key: string]: Recipe },
  parentId?: string,
) {
  return { id, type, data: { inputs }, ...(parentId && { parentId }) } satisfies RecipeNode;
}

/** One node after the other; those inside a container hang behind nothing. */
export function inLine(...nodes: readonly RecipeNode[]): Recipe {
  const outer = [start, ...nodes.filter(({ parentId }) => parentId === undefined)];
  const edges = outer.slice(1).map(({ id }, at) => edge(outer[at]!, id));
  return { nodes: [start, ...nodes], edges } as unknown as Recipe;
}

/** All of them at once. */
export function sideBySide(...nodes: readonly RecipeNode[]): Recipe {
  return { nodes: [start, ...nodes], edges: nodes.map(({ id }) => edge(start, id)) } as unknown as Recipe;
}

const start = step("start", "start", {});

function edge(source: RecipeNode, target: string) {
  const isContainer = source.type === "for-each" || source.type === "while";
  const sourceHandle = isContainer ? "done" : source.type === "if" ? "true" : undefined;
  return { source: source.id, target, ...(sourceHandle && { sourceHandle }) };
}
