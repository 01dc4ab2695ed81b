import type { FlowNode } from "@millrace/contract/documents/graph";
import type { NodeCatalogue, NodeKind } from "../catalogue.ts";
import { plainIssue } from "../../plain-issue.ts";
import type { Sliced } from "../../sliced.ts";
import { type CompiledInput, type InputsByNode, inputsOf, readInput } from "../compile.ts";
import { ExpressionError } from "../expressions/expression-error.ts";
import { FlowTooLarge, ParseBudget } from "../expressions/parse-expression.ts";
import { emptyInputs, needsOf } from "../needs.ts";
import { inputField, isOpenInput, isRequired, takesAnyInput } from "../node-inputs.ts";
import { nameOf, type FlowToCheck } from "./flow-to-check.ts";

interface CheckedInputs {
  readonly errors: string[];
  readonly newErrors: string[];
  readonly inputs: InputsByNode;
  /** It knows what the expressions came to. */
  readonly budget: ParseBudget;
}

/** Expressions parse; what is stated without expressions has the type that the node wants; what it needs is there. */
export function* checkInputs({ graph, kindOf }: FlowToCheck): Sliced<CheckedInputs> {
  const errors: string[] = [];
  const newErrors: string[] = [];
  const inputs = new Map<string, CompiledInput[]>();
  const budget = new ParseBudget();
  for (const node of graph.nodes) {
    const kind = kindOf(node);
    if (kind === undefined) continue;
    const report = (text: string) => errors.push(`${nameOf(node)}: ${text}`);
    let ofNode: CompiledInput[] | undefined;
    try {
      ofNode = yield* readInputs(node, kind, budget, report);
    } catch (error) {
      if (!(error instanceof FlowTooLarge)) throw error;
      report(`${error.message}.`);
      break;
    }
    inputs.set(node.id, ofNode);
    checkMissing(node, kind, report);
    yield* checkDocument(node, kind, report, (text) => newErrors.push(`${nameOf(node)}: ${text}`));
    for (const input of ofNode) {
      checkLiteral(input, kind, report);
      yield;
    }
  }
  return { errors, newErrors, inputs, budget };
}

function* readInputs(
  node: FlowNode,
  kind: NodeKind,
  budget: ParseBudget,
  report: (text: string) => void,
): Sliced<CompiledInput[]> {
  const inputs: CompiledInput[] = [];
  for (const [name, value] of inputsOf(node)) {
    try {
      inputs.push(yield* readInput(name, value, kind, budget));
    } catch (error) {
      if (!(error instanceof ExpressionError) || error instanceof FlowTooLarge) throw error;
      report(`the expression in input "${name}" cannot be read: ${withoutStop(error.message)}.`);
    }
  }
  return inputs;
}

/** Data never becomes code: what a node says of its own document comes before what an expression in it would mean. */
function* checkDocument(
  node: FlowNode,
  kind: NodeKind,
  report: (text: string) => void,
  reportNew: (text: string) => void,
): Sliced<void> {
  const inputs = node.data?.inputs ?? {};
  const faults = kind.faultsOf?.(inputs) ?? [];
  for (const fault of "next" in faults ? yield* faults : faults) report(`${fault}.`);
  for (const fault of kind.newFaultsOf?.(inputs) ?? []) reportNew(`${fault}.`);
}

/** What no trigger may fill has to be there. */
function checkMissing(node: FlowNode, kind: NodeKind, report: (text: string) => void): void {
  for (const name of emptyInputs(node, kind))
    if (!isOpenInput(kind, name)) report(`the input "${name}" is required; fill it in.`);
}

export function warnNeeds({ graph, nodes }: FlowToCheck, catalogue: NodeCatalogue): string[] {
  return needsOf(graph, catalogue).map(
    ({ key, nodeId, inputName }) =>
      `${nameOf(nodes.get(nodeId)!)}: the input "${inputName}" is required and empty; fill it in, or supply it with each trigger as "${key}".`,
  );
}

function checkLiteral(input: CompiledInput, kind: NodeKind, report: (text: string) => void): void {
  const { source, expressions } = input.template;
  const field = inputField(kind, input.name);
  if (field === undefined || expressions.length > 0 || source === undefined) return;
  if ((source === null && !input.acceptsNull) || (source === "" && isRequired(kind, input.name))) return;
  const result = field.safeParse(source);
  if (result.success) return;
  for (const issue of result.error.issues.slice(0, 5)) {
    const path = [input.name, ...issue.path.map(String)].join(".");
    report(`the input "${path}" is not valid: ${withoutStop(plainIssue(issue.message))}.`);
  }
}

export function warnUnknownInputs({ graph, kindOf }: FlowToCheck): string[] {
  return graph.nodes.flatMap((node) => {
    const kind = kindOf(node);
    if (kind === undefined || takesAnyInput(kind)) return [];
    return Object.keys(node.data?.inputs ?? {})
      .filter((name) => !Object.hasOwn(kind.inputs.shape, name))
      .map((name) => `${nameOf(node)}: the type "${node.type}" has no input "${name}", so it is ignored.`);
  });
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}
