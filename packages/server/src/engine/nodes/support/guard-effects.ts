import { secretTexts } from "../../../domain/credential-secret.ts";
import { faultOfJsonValue } from "../../../domain/json-limits.ts";
import { UpstreamError } from "../../../upstream/upstream-error.ts";
import { NodeError, type NodeType } from "../node-type.ts";
import { redact } from "./redact.ts";

/**
 * One place for what holds of every node that talks to the outside: failures become errors the author can read, what
 * came back has a limit, and the credential's secret leaves neither in an output nor in an error.
 */
export function guardEffects(node: NodeType): NodeType {
  const { execute } = node;
  if (!node.effect || execute === undefined) return node;
  return {
    ...node,
    async execute(inputs, context) {
      const { signal } = context;
      const secrets = context.credential === undefined ? [] : secretTexts(context.credential.secret);
      try {
        const outcome = await execute(inputs, context);
        if (outcome.kind === "output" && secrets.length > 0) refuseTooMuch(outcome.output);
        return redact(outcome, secrets);
      } catch (error) {
        // However the library reports it, an abort is the runner's own doing and carries the runner's reason.
        signal.throwIfAborted();
        if (!isForAuthor(error)) throw error;
        const { status, mayPass } = error instanceof NodeError ? error : {};
        throw new NodeError(error.name, redact(error.message, secrets), { status, mayPass });
      }
    },
  };
}

/** Whatever a library made of the bytes of a server: secrets are looked for level by level. The runner measures all outputs. */
function refuseTooMuch(output: unknown): void {
  const fault = faultOfJsonValue(output);
  if (fault !== undefined) throw new NodeError("OutputTooLarge", `The output of the node ${fault}.`);
}

function isForAuthor(error: unknown): error is Error {
  return error instanceof NodeError || error instanceof UpstreamError;
}
