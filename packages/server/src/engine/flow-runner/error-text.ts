import type { CompiledNode } from "../../domain/flow/compile.ts";
import { isRetriedOn } from "../../domain/flow/retry-rule.ts";
import { ExpressionError } from "../../domain/flow/expressions/expression-error.ts";
import { wellFormed } from "../../domain/well-formed.ts";
import { NodeError } from "../nodes/node-type.ts";
import { SandboxError } from "../sandbox/sandbox.ts";
import type { ErrorText } from "./run-types.ts";
import { NodeFailure } from "./scope-types.ts";

/** Only texts that were written for the author of a flow are shown; others may hold addresses, queries or secrets. */
export function describeError(error: unknown): ErrorText {
  if (error instanceof NodeFailure) return describeError(error.error);
  if (error instanceof ExpressionError)
    return { name: error.name, message: wellFormed(`The expression failed: ${error.message}`) };
  if (error instanceof NodeError || error instanceof SandboxError)
    return { name: wellFormed(error.name), message: wellFormed(error.message) };
  return { name: "NodeFailed", message: "Node failed" };
}

const hopeless = new Set(["InvalidInput", "InputTooLarge", "InputTooDeep", "RunTooLarge"]);

/** Whether the node is tried again after this. Whatever has no name of ours, such as a database that is away, may pass. */
export function isWorthRetrying(error: unknown, { retryOn }: Pick<CompiledNode, "retryOn">): boolean {
  if (error instanceof ExpressionError || (error instanceof NodeError && hopeless.has(error.name)))
    return false;
  if (error instanceof NodeError) return isRetriedOn(retryOn, error);
  return isRetriedOn(retryOn, { ...describeError(error), mayPass: !(error instanceof SandboxError) });
}
