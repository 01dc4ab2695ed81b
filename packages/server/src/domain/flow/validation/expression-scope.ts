import type { FlowNode } from "@millrace/contract/documents/graph";
import type { Sliced } from "../../sliced.ts";
import { type CompiledInput, type InputsByNode, readsResume } from "../compile.ts";
import { resumeTarget } from "../resume-target.ts";
import { type FlowToCheck, nameOf } from "./flow-to-check.ts";
import { NearNames } from "./shown-texts.ts";

const everywhere = ["trigger", "data", "nodes", "run", "vars", "resume"];
const inRounds = ["item", "index"];

/** An expression that reads what cannot be there would find nothing, always: names out of its scope, nodes that the flow does not have. */
export function* checkExpressionScopes(flow: FlowToCheck, inputs: InputsByNode): Sliced<string[]> {
  const errors: string[] = [];
  const nearNames = new NearNames();
  const outgoing = Map.groupBy(flow.graph.edges, ({ source }) => source);
  for (const node of flow.graph.nodes) {
    const ofNode = inputs.get(node.id) ?? [];
    for (const input of ofNode) {
      for (const text of yield* faultsOf(flow, node, input, nearNames))
        errors.push(`${nameOf(node)}: ${text}.`);
    }
    if (readsResume(ofNode) && resumeTarget(node, flow.nodes, outgoing) === undefined)
      errors.push(`${nameOf(node)}: an expression reads resume.url, but no approval follows the node.`);
  }
  return errors;
}

function* faultsOf(
  flow: FlowToCheck,
  node: FlowNode,
  input: CompiledInput,
  nearNames: NearNames,
): Sliced<Set<string>> {
  const { template, isDeferred, name } = input;
  const faults = new Set<string>();
  const isInRounds = node.parentId != null || isDeferred;
  const known = isInRounds ? [...everywhere, ...inRounds] : everywhere;
  for (const { roots, nodes } of template.expressions) {
    for (const root of isAboutItsInput(flow, node, input) ? [] : roots)
      if (!known.includes(root))
        faults.add(`an expression in input "${name}" reads ${scopeText(root, known, nearNames)}`);
    for (const id of nodes)
      if (!flow.nodes.has(id))
        faults.add(
          `an expression in input "${name}" reads nodes.${id}, but ${nodeText(id, flow, nearNames)}`,
        );
    yield;
  }
  return faults;
}

/** The expression of a `transform` with an `input` has that for its scope. */
function isAboutItsInput({ kindOf }: FlowToCheck, node: FlowNode, { name }: CompiledInput): boolean {
  const isBare = kindOf(node)?.bareExpressions?.includes(name) === true;
  return isBare && node.data?.inputs?.["input"] != null;
}

function scopeText(root: string, known: readonly string[], nearNames: NearNames): string {
  if (inRounds.includes(root)) return `"${root}", which is there inside of containers alone`;
  const nearest = nearNames.of(root, known);
  const hint = nearest ? `did you mean ${nearest}?` : `there are ${known.join(", ")}`;
  return `"${root}", which is not in its scope; ${hint}`;
}

function nodeText(id: string, { nodes }: FlowToCheck, nearNames: NearNames): string {
  const nearest = nearNames.of(id, nodes.keys());
  return nearest
    ? `there is no such node; did you mean nodes.${nearest}?`
    : "there is no such node; an id with - is written in backticks";
}
