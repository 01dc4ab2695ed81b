// Plain JavaScript, without types.
const file = new URL("../../bin/node-args.js", import.meta.url).href;

/** How Node runs the service. */
export const { NODE_ARGS, MEMORY_ENVIRONMENT, nodeArgs } = (await import(file)) as {
  NODE_ARGS: readonly string[];
  MEMORY_ENVIRONMENT: Readonly<Record<string, string>>;
  nodeArgs: (env: Record<string, string>, given: readonly string[]) => string[];
};
