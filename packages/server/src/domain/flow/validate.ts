import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { SchemaNode } from "../json-schema/schema-node.ts";
import { finishSliced, type Sliced } from "../sliced.ts";
import type { NodeCatalogue } from "./catalogue.ts";
import type { InputsByNode } from "./compile.ts";
import { keptBytes } from "./kept-bytes.ts";
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
import { someOf } from "./validation/shown-texts.ts";
import { warnMisplacedReads, warnNoReturn, warnUnusedOutputs } from "./validation/usage.ts";

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
  /** What it takes in memory together with what is compiled from it, about. */
  readonly bytes: number;
}

export function* checkFlow(
  graph: FlowGraph,
  catalogue: NodeCatalogue,
  settings: FlowSettings = {},
): Sliced<CheckedFlow> {
  const flow = prepareFlow(graph, catalogue);
  yield;
  const reachable = reachableNodes(flow);
  yield;
  const { errors: inputErrors, newErrors, inputs, budget } = yield* checkInputs(flow);
  const errors = [checkNodes(flow), checkContainers(flow), yield* checkEdges(flow)];
  for (const rule of [checkErrorBranches, checkCycles, checkSettings]) {
    errors.push(rule(flow));
    yield;
  }
  errors.push(checkDisabled(flow, reachable), inputErrors, checkOverrideKeys(graph, catalogue));
  yield;
  const scopeErrors = yield* checkExpressionScopes(flow, inputs);
  const { input, errors: schemaErrors } = yield* checkInputSchema(settings);
  errors.push(schemaErrors);
  yield;
  const warnings = [warnNeeds(flow, catalogue), warnUnreachable(flow, reachable), warnNoReturn(flow)];
  yield;
  warnings.push(warnUnknownInputs(flow));
  yield;
  warnings.push(yield* warnMisplacedReads(flow, inputs));
  warnings.push(warnUnusedOutputs(flow, inputs, reachable));
  yield;
  const bytes = keptBytes(graph, settings, budget);
  yield;
  return {
    flow,
    inputs,
    bytes,
    input,
    settings,
    errors: errors.flat(),
    newErrors: [...newErrors, ...scopeErrors],
    warnings: warnings.flat(),
  };
}

/** What a flow points to may come and go without a new version of the flow. */
export function* checkReferences(
  checked: CheckedFlow,
  references: FlowReferences,
  { ranBefore = false }: { readonly ranBefore?: boolean } = {},
): Sliced<FlowValidation> {
  const { flow, inputs, settings, errors, newErrors, warnings } = checked;
  yield;
  const credentials = checkCredentials(flow, references);
  yield;
  const targets = checkTargets(flow, references, inputs);
  const variables = yield* checkVariables(flow, references, inputs);
  const missing = [...credentials, ...targets, ...variables, ...checkOnFailure(settings, references)];
  yield;
  return ranBefore
    ? { errors: someOf([...errors, ...missing]), warnings: someOf([...newErrors, ...warnings]) }
    : { errors: someOf([...errors, ...newErrors, ...missing]), warnings: someOf(warnings) };
}

export function validateFlow(
  graph: FlowGraph,
  catalogue: NodeCatalogue,
  references: FlowReferences,
  settings?: FlowSettings,
): FlowValidation {
  return finishSliced(checkReferences(finishSliced(checkFlow(graph, catalogue, settings)), references));
}
