import type { FlowEdge, FlowGraph, FlowNode } from "@millrace/contract/documents/graph";
import { finishSliced, type Sliced } from "../sliced.ts";
import type { NodeCatalogue, NodeKind } from "./catalogue.ts";
import { ParseBudget } from "./expressions/parse-expression.ts";
import { readBareTemplate, readTemplate, type Template } from "./expressions/template.ts";
import { defaultHandleOf, handleOf } from "./handles.ts";
import { keptBytes } from "./kept-bytes.ts";
import { type FlowNeed, needsOf } from "./needs.ts";
import { acceptsNull } from "./node-inputs.ts";
import { type ResumeTarget, resumeTarget } from "./resume-target.ts";
import { defaultRetryOn, type RetryOn } from "./retry-rule.ts";
import { overrideKeys, type OverrideTarget } from "./override-keys.ts";
import { markReadsAside } from "./reads-aside.ts";
import { setUrgency, type Urgency } from "./urgency.ts";

/** A flow version ready to run; built once, shared by all its runs. */
export interface CompiledFlow {
  readonly nodes: ReadonlyMap<string, CompiledNode>;
  readonly root: CompiledScope;
  /** Some node asks for the time. */
  readonly readsClock: boolean;
  /** Some expression speaks of `vars`. */
  readonly readsVariables: boolean;
  /** What `payload.inputs` and webhook bodies may name. */
  readonly overrideTargets: ReadonlyMap<string, OverrideTarget>;
  /** What each trigger has to bring. */
  readonly needs: readonly FlowNeed[];
  /** What it takes in memory, about. */
  readonly bytes: number;
}

/** Nodes that run together: the whole flow, or the inside of a container. Plans name them by their position. */
export interface CompiledScope {
  readonly nodes: readonly CompiledNode[];
  /** Nodes that begin: `start`, or the children without incoming edges. */
  readonly entries: readonly number[];
  /** Nodes that nothing leads to and that do not begin either. */
  readonly orphans: readonly number[];
  /** Nodes without outgoing edges. */
  readonly last: readonly CompiledNode[];
  /** Some of its nodes are more urgent than others. */
  readonly hasUrgency: boolean;
  /** Nodes that begin at the first of several ways. */
  readonly anyJoins: readonly CompiledNode[];
  /** How many containers are in it, at any depth. */
  readonly containers: number;
}

export interface CompiledNode {
  readonly id: string;
  readonly type: string;
  readonly kind: NodeKind;
  readonly position: number;
  readonly inputs: readonly CompiledInput[];
  readonly credentialId: string | undefined;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  readonly retryOn: readonly RetryOn[];
  readonly timeoutMs: number | undefined;
  readonly onError: "fail" | "continue" | "branch";
  /** It begins at the first of several ways that is taken. */
  readonly joinsAny: boolean;
  /** Positions that its incoming edges come from, one for each edge. */
  readonly sources: readonly number[];
  /** It may read nodes that have not surely ended before it begins. */
  readonly readsAside: boolean;
  readonly outgoing: readonly CompiledEdge[];
  readonly defaultHandle: string;
  readonly urgency: Urgency;
  /** What `resume.url` leads to, where the node reads it. */
  readonly resumes: ResumeTarget | undefined;
  /** The inside of a container. */
  readonly children: CompiledScope | undefined;
}

interface CompiledEdge {
  readonly handle: string;
  readonly target: number;
}

export interface CompiledInput {
  readonly name: string;
  readonly template: Template;
  /** Evaluated by the node itself, once per item or round. */
  readonly isDeferred: boolean;
  /** Where not, `null` counts as absent. */
  readonly acceptsNull: boolean;
}

/** Inputs of a node whose expressions could be read. */
export type InputsByNode = ReadonlyMap<string, readonly CompiledInput[]>;

/** Of a graph without validation errors, in one go. */
export function compileFlow(graph: FlowGraph, catalogue: NodeCatalogue): CompiledFlow {
  return finishSliced(readFlow(graph, catalogue));
}

function* readFlow(graph: FlowGraph, catalogue: NodeCatalogue): Sliced<CompiledFlow> {
  const budget = new ParseBudget();
  const inputs = new Map<string, CompiledInput[]>();
  for (const node of graph.nodes) {
    const kind = catalogue.get(node.type);
    if (kind === undefined) throw new Error(`Node ${node.id} has the unknown type ${node.type}`);
    const ofNode: CompiledInput[] = [];
    for (const [name, value] of inputsOf(node)) ofNode.push(yield* readInput(name, value, kind, budget));
    inputs.set(node.id, ofNode);
  }
  return yield* assembleFlow(graph, catalogue, { inputs, bytes: keptBytes(graph, undefined, budget) });
}

/** The inputs that a node states. */
export function inputsOf(node: FlowNode): [string, unknown][] {
  return Object.entries(node.data?.inputs ?? {}).filter(([name]) => name !== "__proto__");
}

/** Of a graph whose expressions have been read. */
export function* assembleFlow(
  graph: FlowGraph,
  catalogue: NodeCatalogue,
  { inputs, bytes }: { readonly inputs: InputsByNode; readonly bytes: number },
): Sliced<CompiledFlow> {
  yield;
  const nodes = new Map<string, CompiledNode>();
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const byParent = Map.groupBy(graph.nodes, ({ parentId }) => parentId ?? undefined);
  const bySource = Map.groupBy(graph.edges, ({ source }) => source);
  const byTarget = Map.groupBy(graph.edges, ({ target }) => target);

  function* compileScope(containerId: string | undefined): Sliced<CompiledScope> {
    const members = byParent.get(containerId) ?? [];
    const positions = new Map(members.map(({ id }, position) => [id, position]));
    const scopeNodes: CompiledNode[] = [];
    for (const [position, node] of members.entries()) {
      const kind = catalogue.get(node.type);
      if (kind === undefined) throw new Error(`Node ${node.id} has the unknown type ${node.type}`);
      const sources = (byTarget.get(node.id) ?? []).map(({ source }) => positions.get(source)!);
      const compiled: CompiledNode = {
        ...compileSettings(node, kind),
        inputs: inputs.get(node.id) ?? [],
        position,
        sources,
        joinsAny: node.data?.join === "any" && sources.length > 1,
        readsAside: false,
        outgoing: compileEdges(bySource.get(node.id) ?? [], node, kind, positions),
        urgency: 2,
        resumes: readsResume(inputs.get(node.id) ?? []) ? resumeTarget(node, byId, bySource) : undefined,
        children: kind.container ? yield* compileScope(node.id) : undefined,
      };
      scopeNodes.push(compiled);
      nodes.set(node.id, compiled);
      yield;
    }
    setUrgency(scopeNodes);
    markReadsAside(scopeNodes);
    yield;
    const beginners = scopeNodes.filter(({ sources }) => sources.length === 0);
    const begins = ({ type }: CompiledNode) => containerId !== undefined || type === "start";
    return {
      nodes: scopeNodes,
      entries: beginners.filter(begins).map(({ position }) => position),
      orphans: beginners.filter((node) => !begins(node)).map(({ position }) => position),
      last: scopeNodes.filter(({ outgoing }) => outgoing.length === 0),
      hasUrgency: new Set(scopeNodes.map(({ urgency }) => urgency)).size > 1,
      anyJoins: scopeNodes.filter(({ joinsAny }) => joinsAny),
      containers: scopeNodes.reduce((sum, { children }) => sum + (children ? 1 + children.containers : 0), 0),
    };
  }

  const overrideTargets = new Map<string, OverrideTarget>();
  for (const [key, [target]] of overrideKeys(graph, catalogue)) overrideTargets.set(key, target!);
  yield;
  const root = yield* compileScope(undefined);
  yield;
  const isClockRead = [...nodes.values()].some(nodeReadsClock);
  const readsVariables = [...nodes.values()].some(nodeReadsVariables);
  const reads = { readsClock: isClockRead, readsVariables };
  return { root, nodes, overrideTargets, ...reads, needs: needsOf(graph, catalogue), bytes };
}

/** Conditions are about their item; `resume` in them would be a part of it. */
export function readsResume(inputs: readonly CompiledInput[]): boolean {
  return inputs.some(
    ({ isDeferred, template }) =>
      !isDeferred && template.expressions.some(({ roots }) => roots.has("resume")),
  );
}

function nodeReadsClock({ kind, inputs }: CompiledNode): boolean {
  return (
    kind.readsClock === true ||
    inputs.some(({ template }) => template.expressions.some((expression) => expression.readsClock))
  );
}

function nodeReadsVariables({ inputs }: CompiledNode): boolean {
  return inputs.some(({ template }) => template.expressions.some(({ vars }) => vars !== undefined));
}

type Settings = Omit<
  CompiledNode,
  | "inputs"
  | "position"
  | "sources"
  | "joinsAny"
  | "readsAside"
  | "outgoing"
  | "urgency"
  | "resumes"
  | "children"
>;

function compileSettings(node: FlowNode, kind: NodeKind): Settings {
  const { credential, retry, timeoutSeconds, onError } = node.data ?? {};
  return {
    id: node.id,
    type: node.type,
    kind,
    credentialId: credential || undefined,
    maxAttempts: kind.container ? 1 : (retry?.maxAttempts ?? 1),
    retryOn: retry?.on ?? defaultRetryOn,
    backoffMs: (retry?.backoffSeconds ?? 1) * 1_000,
    timeoutMs: timeoutSeconds ? timeoutSeconds * 1_000 : undefined,
    onError: onError === "continue" || onError === "branch" ? onError : "fail",
    defaultHandle: defaultHandleOf(node, kind),
  };
}

/** @throws ExpressionError */
export function* readInput(
  name: string,
  value: unknown,
  kind: NodeKind,
  budget: ParseBudget,
): Sliced<CompiledInput> {
  const isBare = kind.bareExpressions?.includes(name) === true && typeof value === "string";
  return {
    name,
    template: isBare ? readBareTemplate(value, budget) : yield* readTemplate(value, budget),
    isDeferred: isBare || kind.deferredInputs?.includes(name) === true,
    acceptsNull: acceptsNull(kind, name),
  };
}

function compileEdges(
  edges: readonly FlowEdge[],
  source: FlowNode,
  kind: NodeKind,
  positions: ReadonlyMap<string, number>,
): CompiledEdge[] {
  return edges.map((edge) => {
    const target = positions.get(edge.target);
    if (target === undefined) throw new Error(`The edge ${edge.source} → ${edge.target} leaves its scope`);
    return { handle: handleOf(edge, source, kind), target };
  });
}
