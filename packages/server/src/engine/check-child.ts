import type { CompiledFlow } from "../domain/flow/compile.ts";
import type { FlowValidation } from "../domain/flow/validate.ts";
import { MAX_DEPTH, tooDeep } from "../domain/run.ts";
import type { ErrorText } from "./flow-runner/run-types.ts";

interface WantedChild {
  readonly flowId: string;
  readonly depth: number;
  /** Where the flow was looked for. */
  readonly where: string;
}

interface FoundFlow {
  readonly validation: FlowValidation;
  /** Missing where the flow cannot run. */
  readonly compiled: CompiledFlow | undefined;
}

type CheckedChild<Found> =
  | { readonly error: ErrorText }
  | { readonly error?: undefined; readonly found: Found & { readonly compiled: CompiledFlow } };

/** The flow of a run that a `run-flow` node starts, or why it cannot. */
export function checkChild<Found extends FoundFlow>(
  { flowId, depth, where }: WantedChild,
  found: Found | undefined,
): CheckedChild<Found> {
  if (depth > MAX_DEPTH) return { error: tooDeep(flowId) };
  if (!found) return { error: { name: "FlowNotFound", message: `There is no flow ${flowId} ${where}.` } };
  const { compiled, validation } = found;
  const [need] = compiled?.needs ?? [];
  if (compiled && !need) return { found: { ...found, compiled } };
  const fault = need ? `it needs the input ${need.key}` : validation.errors[0];
  return { error: { name: "FlowInvalid", message: `The flow ${flowId} cannot run: ${fault}` } };
}

/** The flow has an `input`, and what it would be given does not fit. */
export function refusedInput(flowId: string, issue: string): { error: { name: string; message: string } } {
  return { error: { name: "FlowInput", message: `The flow ${flowId} refuses its input: ${issue}` } };
}
