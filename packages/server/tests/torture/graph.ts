import type { Block, Failing, Step } from "./case.ts";
import { read, type Scope } from "./inputs.ts";
import * as places from "./places.ts";
import type { Path } from "./places.ts";

const NOTHING: Path = ["data", "nothing"];

export interface Node {
  readonly id: string;
  readonly type: string;
  readonly parentId?: string;
  readonly data: Record<string, unknown>;
}

export interface FlowDocument {
  readonly kind: "Flow";
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly graph: { readonly nodes: Node[]; readonly edges: object[] };
}

export interface Surroundings {
  readonly caseId: string;
  readonly organizationId: string;
  readonly receiverUrl: string;
}

export interface Port {
  readonly id: string;
  readonly handle?: string;
}

/** What follows: from where, or from nowhere where all ways have ended; and where the last value is. */
export interface Open {
  readonly ports: readonly Port[] | undefined;
  readonly before: Path;
}

/** Nodes and edges as they are put together. */
export abstract class Graph {
  protected readonly nodes: Node[] = [];
  protected readonly edges: object[] = [];
  protected readonly surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
  }

  protected abstract block(block: Block, prefix: string, scope: Scope, open: Open): Open;

  /** The last node of a flow or a round hands on the last value. */
  protected end(prefix: string, scope: Scope, { ports, before }: Open, returns = false): void {
    if (ports === undefined) return;
    const value = { v: read(before) };
    this.add(places.endOf(prefix), returns ? "return" : "set", scope, ports, {
      inputs: returns ? { value } : { values: value },
    });
  }

  protected add(
    id: string,
    type: string,
    scope: Scope,
    from: readonly Port[],
    data: Record<string, unknown>,
  ): Port[] {
    this.nodes.push({ id, type, ...(scope.parentId !== undefined && { parentId: scope.parentId }), data });
    for (const { id: source, handle } of from)
      this.edges.push({ source, target: id, ...(handle !== undefined && { sourceHandle: handle }) });
    return [{ id }];
  }

  protected call(
    id: string,
    scope: Scope,
    from: readonly Port[],
    { body = {}, plan = { kind: "ok", ms: 0 } }: { body?: object; plan?: object },
    more: object = {},
  ): Port[] {
    const query = { at: "{{ data.at }}", plan: JSON.stringify(plan) };
    const url = `${this.surroundings.receiverUrl}/${this.surroundings.caseId}`;
    return this.add(id, "http-request", scope, from, { inputs: { url, query, body }, ...more });
  }

  protected body(body: Block, id: string, scope: Scope, before: Path): void {
    const inside: Scope = { parentId: id, loops: scope.loops + 1 };
    const prefix = places.bodyOf(id);
    this.end(prefix, inside, this.block(body, prefix, inside, { ports: [], before }));
  }

  /** What follows the handle `error`, where there is one, comes together with what follows a success. */
  protected handled(
    step: Step & { failing: Failing },
    id: string,
    scope: Scope,
    before: Path,
    handle?: string,
  ): readonly Port[] | undefined {
    const success: Open = {
      ports: [{ id, ...(handle !== undefined && { handle }) }],
      before: places.madeInside(step, id, before),
    };
    if (step.failing.onError !== "branch") return success.ports;
    const prefix = places.handlerOf(id);
    const handler = this.block(step.failing.handler, prefix, scope, {
      ports: [{ id, handle: "error" }],
      before,
    });
    return this.append(id, scope, [success, handler]);
  }

  protected ways(step: Step, id: string, scope: Scope, before: Path): readonly Port[] | undefined {
    const ends = places
      .waysOf(step, id)
      .map(({ handle, prefix, block }) =>
        this.block(block, prefix, scope, { ports: [{ id, handle }], before }),
      );
    return this.append(id, scope, ends);
  }

  protected append(id: string, scope: Scope, ends: readonly Open[]): readonly Port[] | undefined {
    // Where all ways of a step end, the node that would have joined them is not there.
    const isThere = ([root, node]: Path) => root !== "nodes" || this.nodes.some(({ id }) => id === node);
    const sources = ends.map(({ before }) => read(isThere(before) ? before : NOTHING));
    return this.join(id, scope, ends, { mode: "append", sources });
  }

  protected join(
    id: string,
    scope: Scope,
    ends: readonly Open[],
    inputs: object,
  ): readonly Port[] | undefined {
    const open = ends.flatMap(({ ports }) => ports ?? []);
    if (open.length === 0) return undefined;
    return this.add(places.joinOf(id), "merge", scope, open, { inputs });
  }
}
