import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowNode } from "@millrace/contract/documents/graph";
import type { NodeKind } from "../catalogue.ts";
import type { InputsByNode } from "../compile.ts";
import type { Sliced } from "../../sliced.ts";
import { nameOf, type FlowReferences, type FlowToCheck } from "./flow-to-check.ts";
import { NearNames } from "./shown-texts.ts";

/** Credentials exist and have a type that the node can use. */
export function checkCredentials({ graph, kindOf }: FlowToCheck, references: FlowReferences): string[] {
  return graph.nodes.flatMap((node) => {
    const kind = kindOf(node);
    const fault = kind === undefined ? undefined : credentialFault(node, kind, references);
    return fault === undefined ? [] : [`${nameOf(node)}: ${fault}.`];
  });
}

function credentialFault(node: FlowNode, kind: NodeKind, references: FlowReferences): string | undefined {
  const id = node.data?.credential;
  if (!id) {
    return kind.credential?.required
      ? `it needs a credential (${kind.credential.types.join(" or ")}); choose one`
      : undefined;
  }
  if (kind.credential === undefined) return `nodes of type "${node.type}" take no credential; remove "${id}"`;
  const type = references.credentialType(id);
  if (type === undefined)
    return `there is no credential "${id}" in the organization; apply it or choose another one`;
  if (kind.credential.types.includes(type)) return undefined;
  return `the credential "${id}" is of type ${type}; choose one of type ${kind.credential.types.join(" or ")}`;
}

/** Flows and agents that are named by a plain value exist; one that an expression names is asked for when it runs. */
export function checkTargets(
  { graph, kindOf }: FlowToCheck,
  references: FlowReferences,
  inputs: InputsByNode,
): string[] {
  return graph.nodes.flatMap((node) => {
    const target = kindOf(node)?.target;
    const input = inputs.get(node.id)?.find(({ name }) => name === target?.input);
    const id = input?.template.source;
    if (
      target === undefined ||
      typeof id !== "string" ||
      id === "" ||
      input?.template.expressions.length !== 0
    )
      return [];
    const exists = target.kind === "flow" ? references.hasFlow(id) : references.hasAgent(id);
    return exists
      ? []
      : [
          `${nameOf(node)}: there is no ${target.kind} "${id}" in the organization; correct "${target.input}".`,
        ];
  });
}

/** Variables that expressions name exist; in a scope of its own `vars` is something else. */
export function* checkVariables(
  { graph }: FlowToCheck,
  { variables }: FlowReferences,
  inputs: InputsByNode,
): Sliced<string[]> {
  const errors = new Set<string>();
  const nearNames = new NearNames();
  for (const node of graph.nodes)
    for (const { name: input, template } of inputs.get(node.id) ?? [])
      for (const { roots, vars = [] } of template.expressions) {
        for (const name of roots.has("vars") ? vars : [])
          if (!variables.has(name))
            errors.add(
              `${nameOf(node)}: an expression in input "${input}" reads vars.${name}, but ${variableText(name, variables, nearNames)}.`,
            );
        yield;
      }
  return [...errors];
}

function variableText(name: string, variables: ReadonlySet<string>, nearNames: NearNames): string {
  const nearest = nearNames.of(name, variables);
  const hint = nearest
    ? `did you mean vars.${nearest}?`
    : `set it with: millrace variables set ${name} <value>`;
  return `the organization has no variable "${name}"; ${hint}`;
}

/** What is started where a run of the flow fails. */
export function checkOnFailure({ onFailure }: FlowSettings, references: FlowReferences): string[] {
  if (onFailure === undefined || references.hasFlow(onFailure)) return [];
  return [
    `The flow's onFailure names the flow "${onFailure}", which does not exist; apply it, or choose another.`,
  ];
}
