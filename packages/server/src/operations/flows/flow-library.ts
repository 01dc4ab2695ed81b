import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { FlowSettings } from "@millrace/contract/documents/flow";
import { LRUCache } from "lru-cache";
import { type FreshCache, freshCache, freshFor, remember, type Stopwatch } from "../../domain/fresh-cache.ts";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import { assembleFlow, type CompiledFlow } from "../../domain/flow/compile.ts";
import {
  checkFlow,
  type CheckedFlow,
  checkReferences,
  type FlowValidation,
} from "../../domain/flow/validate.ts";
import type { SchemaNode } from "../../domain/json-schema/schema-node.ts";
import { type FlowRecord, NOT_PUBLISHED } from "../../domain/records.ts";
import type { Sliced } from "../../domain/sliced.ts";
import { listReferences, toReferences } from "../../storage/catalogue/list-references.ts";
import { findFlow } from "../../storage/flows/find-flow.ts";
import { findDraft } from "../../storage/flows/find-draft.ts";
import { findFlowGraph } from "../../storage/flows/find-flow-graph.ts";
import { findFlowSettings } from "../../storage/flows/find-flow-settings.ts";
import type { Db } from "../../storage/pool.ts";
import { inSlices } from "./in-slices.ts";

/** A flow version as triggers and workers use it. */
export interface FlowVersion {
  readonly validation: FlowValidation;
  /** Missing where the flow cannot run; `validation` then says why. */
  readonly compiled: CompiledFlow | undefined;
  readonly nodeCount: number;
  /** What `trigger.body` has to fit. */
  readonly input?: SchemaNode | undefined;
  /** What the version says beside its graph. */
  readonly settings?: FlowSettings;
  /** What it takes in memory, about. */
  readonly bytes: number;
}

/** A version as it was read; it never changes. */
interface ReadVersion {
  readonly checked: CheckedFlow;
  /** Missing where the graph has errors. */
  readonly compiled: CompiledFlow | undefined;
  readonly nodeCount: number;
  readonly settings: FlowSettings;
  readonly bytes: number;
}

// A document that is applied takes effect within this time; a trigger costs no query in between.
const flowFreshMs = 1_000;
// What a flow points to (credentials, other flows) may change without a new version of the flow.
const validationFreshMs = 5_000;
const maxEntries = 5_000;
/** Of the versions that are kept. */
const maxBytes = 24_000_000;
/** Until it is there, a version counts as a small one. */
const smallBytes = 10_000;

/** Flows by id and compiled versions, read once and kept for as long as they can be trusted. */
export class FlowLibrary {
  readonly #db: Db;
  readonly #catalogue: NodeCatalogue;
  readonly #flows: FreshCache<Promise<FlowRecord | undefined>>;
  readonly #checked: LRUCache<string, Promise<FlowVersion>>;
  /** Of flows asked for again and again: a text made anew would be hashed anew. */
  readonly #keys = new WeakMap<FlowRecord, string>();
  /** Of each organization whose flows are being checked, the end of the check that was asked for last. */
  readonly #lastChecks = new Map<string, Promise<void>>();
  readonly #versions = new LRUCache<string, Promise<ReadVersion>>({ maxSize: maxBytes });

  constructor(db: Db, catalogue: NodeCatalogue, clock: Stopwatch = performance) {
    this.#db = db;
    this.#catalogue = catalogue;
    this.#flows = freshCache({ maxEntries, freshMs: flowFreshMs, clock });
    this.#checked = new LRUCache({ maxSize: maxBytes, ...freshFor(validationFreshMs, clock) });
  }

  /** The flow as it is now, or was a moment ago. */
  find(flowId: string): Promise<FlowRecord | undefined> {
    return remember(this.#flows, flowId, () => findFlow(this.#db, flowId));
  }

  /** It was changed in this process: whoever asks next gets it as it is now. */
  forget(flowId: string): void {
    this.#flows.delete(flowId);
  }

  /** Checked against what the organization has now: what a trigger asks for. */
  checked(flow: FlowRecord): Promise<FlowVersion> {
    const { organizationId, id, version } = flow;
    let key = this.#keys.get(flow);
    if (key === undefined) this.#keys.set(flow, (key = keyOf(organizationId, id, version)));
    return keep(this.#checked, key, () =>
      version === NOT_PUBLISHED
        ? this.#checkDraft(organizationId, id)
        : this.#check(organizationId, id, version),
    );
  }

  /** A version never changes, so a worker's copy is good for ever. */
  async compiled(organizationId: string, flowId: string, version: string): Promise<CompiledFlow> {
    const { checked, compiled } = await this.#version(organizationId, flowId, version);
    // A run that was started before a rule was made goes on.
    const flow = { organizationId, flowId };
    return compiled ?? this.#inTurn(organizationId, () => inSlices(flow, this.#compile(checked)));
  }

  #version(organizationId: string, flowId: string, version: string): Promise<ReadVersion> {
    const key = keyOf(organizationId, flowId, version);
    return keep(this.#versions, key, () => this.#read(organizationId, flowId, version));
  }

  /** From the database on in turn: documents that wait would each take ten times their length. */
  #read(organizationId: string, flowId: string, version: string): Promise<ReadVersion> {
    return this.#inTurn(organizationId, async () => {
      const [graph, settings] = await Promise.all([
        findFlowGraph(this.#db, organizationId, flowId, version),
        findFlowSettings(this.#db, organizationId, flowId, version),
      ]);
      if (!graph) throw new Error(`The flow ${flowId} has no version ${version}.`);
      return inSlices({ organizationId, flowId }, this.#readGraph(graph, settings));
    });
  }

  *#readGraph(graph: FlowGraph, settings: FlowSettings): Sliced<ReadVersion> {
    const checked = yield* checkFlow(graph, this.#catalogue, settings);
    const compiled = checked.errors.length === 0 ? yield* this.#compile(checked) : undefined;
    return { checked, compiled, nodeCount: graph.nodes.length, settings, bytes: checked.bytes };
  }

  #compile(checked: CheckedFlow): Sliced<CompiledFlow> {
    return assembleFlow(checked.flow.graph, this.#catalogue, checked);
  }

  /** One at a time: side by side, the checks for hundreds of runs that a worker takes over would all end as late as the last. */
  async #inTurn<Result>(organizationId: string, check: () => Result | Promise<Result>): Promise<Result> {
    const before = this.#lastChecks.get(organizationId);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#lastChecks.set(organizationId, ended);
    try {
      await before;
      return await check();
    } finally {
      end();
      if (this.#lastChecks.get(organizationId) === ended) this.#lastChecks.delete(organizationId);
    }
  }

  async #check(organizationId: string, flowId: string, version: string): Promise<FlowVersion> {
    const [{ checked, compiled, nodeCount, settings, bytes }, references] = await Promise.all([
      this.#version(organizationId, flowId, version),
      listReferences(this.#db, organizationId),
    ]);
    // A rule that was made after it was published does not stop it.
    const checking = checkReferences(checked, toReferences(references), { ranBefore: true });
    const validation = await inSlices({ organizationId, flowId }, checking);
    return {
      validation,
      compiled: validation.errors.length === 0 ? compiled : undefined,
      nodeCount,
      input: checked.input,
      settings,
      bytes,
    };
  }

  /** A flow that was never published cannot run, whatever its draft holds; the draft says what is left to do. */
  async #checkDraft(organizationId: string, flowId: string): Promise<FlowVersion> {
    const [draft, references] = await Promise.all([
      findDraft(this.#db, organizationId, flowId),
      listReferences(this.#db, organizationId),
    ]);
    const unpublished = { errors: ["The flow has no published version; publish its draft."], warnings: [] };
    if (!draft) return { validation: unpublished, compiled: undefined, nodeCount: 0, bytes: smallBytes };
    const flow = { organizationId, flowId };
    const reading = checkFlow(draft.graph, this.#catalogue, draft.settings ?? {});
    const checked = await this.#inTurn(organizationId, () => inSlices(flow, reading));
    const checking = checkReferences(checked, toReferences(references));
    const validation = await inSlices(flow, checking);
    return {
      validation: validation.errors.length === 0 ? unpublished : validation,
      compiled: undefined,
      nodeCount: draft.graph.nodes.length,
      bytes: smallBytes,
    };
  }
}

function keyOf(organizationId: string, flowId: string, version: string): string {
  return `${organizationId} ${flowId} ${version}`;
}

/** What is being read is shared by those who ask meanwhile, and counts by what it takes as soon as that is known. */
function keep<Kept extends { readonly bytes: number }>(
  cache: LRUCache<string, Promise<Kept>>,
  key: string,
  read: () => Promise<Kept>,
): Promise<Kept> {
  const known = cache.get(key);
  if (known) return known;
  const reading = read();
  cache.set(key, reading, { size: smallBytes });
  reading.then(
    ({ bytes }) => {
      // The cache keeps the first size of a value that it has.
      cache.delete(key);
      cache.set(key, reading, { size: Math.max(bytes, smallBytes) });
    },
    () => cache.delete(key),
  );
  return reading;
}
