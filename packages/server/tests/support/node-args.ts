// Plain JavaScript, without types.
const file = new URL("../../bin/node-args.js", import.meta.url).href;

/** How Node runs the service. */
export const { NODE_ARGS, nodeArgs } = (await import(file)) as {
  NODE_ARGS: readonly string[];
  nodeArgs: (env: Record<string, string>, given: readonly string[]) => string[];
};
