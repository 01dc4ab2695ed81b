import { type CompiledFlow, compileFlow } from "../../domain/flow/compile.ts";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import { type FlowValidation, validateFlow } from "../../domain/flow/validate.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { listReferences } from "../../storage/catalogue/list-references.ts";
import { findFlow } from "../../storage/flows/find-flow.ts";
import { findFlowGraph } from "../../storage/flows/find-flow-graph.ts";
import type { Db } from "../../storage/pool.ts";

/** A flow version as triggers and workers use it. */
export interface FlowVersion {
  readonly validation: FlowValidation;
  /** Missing where the flow cannot run; `validation` then says why. */
  readonly compiled: CompiledFlow | undefined;
  readonly nodeCount: number;
}

interface Cached<Value> {
  readonly value: Promise<Value>;
  readonly freshUntilMs: number;
}

// A document that is applied takes effect within this time; a trigger costs no query in between.
const FLOW_FRESH_MS = 1_000;
// What a flow points to (credentials, other flows) may change without a new version of the flow.
const VALIDATION_FRESH_MS = 5_000;
const MAX_ENTRIES = 5_000;

/** Flows by id and compiled versions, read once and kept for as long as they can be trusted. */
export class FlowLibrary {
  readonly #db: Db;
  readonly #catalogue: NodeCatalogue;
  readonly #flows = new Map<string, Cached<FlowRecord | undefined>>();
  readonly #versions = new Map<string, Cached<FlowVersion>>();
  readonly #compiled = new Map<string, Promise<CompiledFlow>>();

  constructor(db: Db, catalogue: NodeCatalogue) {
    this.#db = db;
    this.#catalogue = catalogue;
  }

  /** The flow as it is now, or was a moment ago. */
  find(flowId: string): Promise<FlowRecord | undefined> {
    return this.#remember(this.#flows, flowId, FLOW_FRESH_MS, () => findFlow(this.#db, flowId));
  }

  /** Checked against what the organization has now: what a trigger asks for. */
  checked(flow: FlowRecord): Promise<FlowVersion> {
    const { organizationId, id, version } = flow;
    const key = `${organizationId} ${id} ${version}`;
    return this.#remember(this.#versions, key, VALIDATION_FRESH_MS, () =>
      this.#check(organizationId, id, version),
    );
  }

  /** A version never changes, so a worker's copy is good for ever. */
  async compiled(organizationId: string, flowId: string, version: string): Promise<CompiledFlow> {
    const key = `${organizationId} ${flowId} ${version}`;
    let known = this.#compiled.get(key);
    if (!known) {
      known = this.#compile(organizationId, flowId, version);
      this.#compiled.set(key, known);
      known.catch(() => this.#compiled.delete(key));
      if (this.#compiled.size > MAX_ENTRIES) this.#compiled.delete(this.#compiled.keys().next().value!);
    }
    return known;
  }

  async #compile(organizationId: string, flowId: string, version: string): Promise<CompiledFlow> {
    const graph = await findFlowGraph(this.#db, organizationId, flowId, version);
    if (!graph) throw new Error(`The flow ${flowId} has no version ${version}.`);
    return compileFlow(graph, this.#catalogue);
  }

  async #check(organizationId: string, flowId: string, version: string): Promise<FlowVersion> {
    const [graph, references] = await Promise.all([
      findFlowGraph(this.#db, organizationId, flowId, version),
      listReferences(this.#db, organizationId),
    ]);
    if (!graph) throw new Error(`The flow ${flowId} has no version ${version}.`);
    const validation = validateFlow(graph, this.#catalogue, {
      hasFlow: (id) => references.flows.has(id),
      hasAgent: (id) => references.agents.has(id),
      credentialType: (id) => references.credentials.get(id),
    });
    const runs = validation.errors.length === 0;
    return {
      validation,
      compiled: runs ? await this.compiled(organizationId, flowId, version) : undefined,
      nodeCount: graph.nodes.length,
    };
  }

  #remember<Value>(
    cache: Map<string, Cached<Value>>,
    key: string,
    freshMs: number,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const known = cache.get(key);
    if (known && known.freshUntilMs > performance.now()) return known.value;
    const value = read();
    cache.set(key, { value, freshUntilMs: performance.now() + freshMs });
    value.catch(() => cache.delete(key));
    if (cache.size > MAX_ENTRIES) cache.delete(cache.keys().next().value!);
    return value;
  }
}
