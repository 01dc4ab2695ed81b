import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { SchemaNode } from "../json-schema/schema-node.ts";
import { finishSliced, type Sliced } from "../sliced.ts";
import type { NodeCatalogue } from "./catalogue.ts";
import type { InputsByNode } from "./compile.ts";
import { checkContainers } from "./validation/containers.ts";
import { checkCycles, checkEdges, checkErrorBranches } from "./validation/edges.ts";
import { checkExpressionScopes } from "./validation/expression-scope.ts";
import { type FlowReferences, type FlowToCheck, prepareFlow } from "./validation/flow-to-check.ts";
import { checkInputSchema } from "./validation/input-schema.ts";
import { checkInputs, warnNeeds, warnUnknownInputs } from "./validation/inputs.ts";
import { checkNodes, checkSettings } from "./validation/nodes.ts";
import { checkOverrideKeys } from "./validation/override-keys.ts";
import { checkDisabled, reachableNodes, warnUnreachable } from "./validation/reachability.ts";
import { checkCredentials, checkOnFailure, checkTargets, checkVariables } from "./validation/references.ts";
import { warnMisplacedReads, warnNoReturn, warnUnusedOutputs } from "./validation/usage.ts";

const maxTexts = 100;

export interface FlowValidation {
  /** Any of them keeps the flow from running. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What can be said of a graph by itself: read once, and good for as long as the version is. */
export interface CheckedFlow extends FlowValidation {
  /** Errors in whatever is published from now on; a version that was published before these rules goes on as it did. */
  readonly newErrors: readonly string[];
  readonly flow: FlowToCheck;
  readonly inputs: InputsByNode;
  /** Of `trigger.body`. */
  readonly input: SchemaNode | undefined;
  readonly settings: FlowSettings;
}

export function* checkFlow(
  graph: FlowGraph,
  catalogue: NodeCatalogue,
  settings: FlowSettings = {},
): Sliced<CheckedFlow> {
  const flow = prepareFlow(graph, catalogue);
  const reachable = reachableNodes(flow);
  const { errors: inputErrors, newErrors, inputs } = yield* checkInputs(flow);
  const errors: string[] = [];
  const rules = [checkNodes, checkContainers, checkEdges, checkErrorBranches, checkCycles, checkSettings];
  for (const rule of rules) {
    errors.push(...rule(flow));
    yield;
  }
  errors.push(...checkDisabled(flow, reachable), ...inputErrors, ...checkOverrideKeys(graph, catalogue));
  newErrors.push(...(yield* checkExpressionScopes(flow, inputs)));
  yield;
  const { input, errors: schemaErrors } = yield* checkInputSchema(settings);
  errors.push(...schemaErrors);
  const warnings = [...warnUnreachable(flow, reachable), ...warnNoReturn(flow), ...warnUnknownInputs(flow)];
  warnings.unshift(...warnNeeds(flow, catalogue));
  warnings.push(...(yield* warnMisplacedReads(flow, inputs)));
  warnings.push(...warnUnusedOutputs(flow, inputs, reachable));
  return { flow, inputs, input, settings, errors, newErrors, warnings };
}

/** What a flow points to may come and go without a new version of the flow. */
export function checkReferences(
  checked: CheckedFlow,
  references: FlowReferences,
  { ranBefore = false }: { readonly ranBefore?: boolean } = {},
): FlowValidation {
  const { flow, inputs, settings, errors, newErrors, warnings } = checked;
  const missing = [
    ...checkCredentials(flow, references),
    ...checkTargets(flow, references, inputs),
    ...checkVariables(flow, references, inputs),
    ...checkOnFailure(settings, references),
  ];
  return ranBefore
    ? { errors: someOf([...errors, ...missing]), warnings: someOf([...newErrors, ...warnings]) }
    : { errors: someOf([...errors, ...newErrors, ...missing]), warnings: someOf(warnings) };
}

/** Enough to begin with: each answer to a trigger carries them. */
function someOf(texts: readonly string[]): readonly string[] {
  if (texts.length <= maxTexts) return texts;
  return [...texts.slice(0, maxTexts), `There are ${texts.length - maxTexts} more.`];
}

export function validateFlow(
  graph: FlowGraph,
  catalogue: NodeCatalogue,
  references: FlowReferences,
  settings?: FlowSettings,
): FlowValidation {
  return checkReferences(finishSliced(checkFlow(graph, catalogue, settings)), references);
}
