import type { CompiledFlow, CompiledNode } from "../flow/compile.ts";
import type { Sliced } from "../sliced.ts";
import { nodeCountOf, type NodePlace, NodePlaces, nodesBehind, type Surrounding } from "./node-place.ts";

/** What a fork has to know of a record. */
export interface ForkRecord {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  readonly status: string;
  /** FAILED, and the flow went on from there. */
  readonly isHandled: boolean;
  /** A loop that goes on after a failed item. */
  readonly goesOn: boolean;
}

export interface ForkOrder {
  /** The version that the fork runs. */
  readonly flow: CompiledFlow;
  /** What the run that is forked has left. */
  readonly records: readonly ForkRecord[];
  /** The node to begin with again; undefined: whatever has not ended well. */
  readonly from: string | undefined;
  /** Node keys whose output is given: they do not execute, whatever is known of them. */
  readonly given: ReadonlySet<string>;
  /** Nodes that have begun a run of another flow, ended or not. */
  readonly begun: readonly string[];
}

export interface ForkPlan {
  /** Records that are copied as they are. */
  readonly keep: readonly string[];
  /** Containers that are entered again, over the items they had. */
  readonly reopen: readonly string[];
  /** Nodes in rounds of a `while` of which nothing else is kept: the round was true, and stays so. */
  readonly mark: readonly NodePlace[];
  /** Of `begun`, what goes on instead of beginning again. */
  readonly carry: readonly NodePlace[];
  /** Nodes of the old graph whose values the new one has no place for. */
  readonly dropped: readonly string[];
  /** How many nodes of the graph are copied whole. */
  readonly copiedNodes: number;
  /** Where the fork begins, for people. */
  readonly beginsAt: string | undefined;
}

/**
 * `keep`, `reopen`: what becomes of a record. `again`: its node executes again. `gone`: it lies behind what executes again.
 */
type Fate = "keep" | "reopen" | "again" | "gone";

/** What of a run is copied into its fork: all that has ended, but for the node to begin with and what comes behind it. */
export function* planFork(order: ForkOrder): Sliced<ForkPlan> {
  const places = new NodePlaces(order.flow);
  const cut = order.from === undefined ? undefined : new Cut(places.find(order.from)!);
  const byKey = new Map(order.records.map((record) => [record.nodeKey, record]));
  const dropped = new Set<string>();
  const found: { place: NodePlace; fate: Fate; record: ForkRecord | undefined }[] = [];
  for (const record of order.records) {
    yield;
    const place = places.find(record.nodeKey);
    if (place?.node.type !== record.type) dropped.add(record.nodeId);
    else found.push({ place, record, fate: fateOf(place, record, cut, byKey) });
  }
  for (const nodeKey of order.begun) {
    const place = byKey.has(nodeKey) ? undefined : places.find(nodeKey);
    if (place) found.push({ place, record: undefined, fate: fateOf(place, undefined, cut, byKey) });
  }

  const entered = new Set(
    found.flatMap(({ place, fate }) => (fate === "keep" || fate === "reopen" ? [place.nodeKey] : [])),
  );
  const isThere = ({ nodeKey, around }: NodePlace) =>
    !order.given.has(nodeKey) &&
    around.every(({ containerKey }) => entered.has(containerKey) && !order.given.has(containerKey));
  const settled = new Settled();
  for (const { place, fate, record } of found) if (fate === "keep") settled.add(place, record!);
  const rounds = new RoundsToMark();
  const plan = { keep: [] as string[], reopen: [] as string[], carry: [] as NodePlace[] };
  const begun = new Set(order.begun);
  let copiedNodes = 0;
  let first: { place: NodePlace; rank: number } | undefined;
  for (const { place, fate: own, record } of found) {
    yield;
    if (!isThere(place)) continue;
    const fate = own === "again" && settled.covers(place) ? "gone" : own;
    if (fate === "keep" || fate === "reopen") plan[fate].push(place.nodeKey);
    if (fate === "keep" && place.around.length === 0) copiedNodes += nodeCountOf(place.node);
    if (fate === "again" && place.nodeKey !== order.from && begun.has(place.nodeKey)) plan.carry.push(place);
    if (fate !== "gone") rounds.see(place, fate);
    const rank = rankOf(place, fate, record);
    if (rank > 0 && (first === undefined || rank > first.rank)) first = { place, rank };
  }
  return {
    ...plan,
    mark: rounds.toMark(),
    dropped: [...dropped],
    copiedNodes,
    beginsAt: order.from ?? first?.place.nodeKey,
  };
}

/** Failures before what was stopped, and what is inside before what is around it. */
function rankOf({ around, node }: NodePlace, fate: Fate, record: ForkRecord | undefined): number {
  if (fate !== "again" && fate !== "reopen") return 0;
  const isCause = record?.status === "FAILED" && node.children === undefined;
  return (isCause ? 1_000 : 1) + around.length;
}

function fateOf(
  place: NodePlace,
  record: ForkRecord | undefined,
  cut: Cut | undefined,
  byKey: ReadonlyMap<string, ForkRecord>,
): Fate {
  const side = cut?.sideOf(place) ?? "apart";
  if (side === "at") return "again";
  if (side === "behind") return "gone";
  if (side === "around") return "reopen";
  // They end the run where they are reached: a run that goes on has not reached them.
  const isEnd = place.node.type === "return" || place.node.type === "fail";
  if (record?.status === "COMPLETED" && !isEnd) return "keep";
  if (record?.status === "FAILED" && (record.isHandled || (side === "apart" && isRoundOver(place, byKey))))
    return "keep";
  return place.node.children !== undefined && record !== undefined ? "reopen" : "again";
}

/** A container around it goes on after failures: its round has ended with this one, and does not begin again. */
function isRoundOver({ around }: NodePlace, byKey: ReadonlyMap<string, ForkRecord>): boolean {
  return around.some(
    ({ container, containerKey }) => container.onError !== "fail" || byKey.get(containerKey)?.goesOn === true,
  );
}

/** `beside`: in one of the rounds that the node to begin with is in, and not behind it. */
type Side = "at" | "behind" | "around" | "beside" | "apart";

/** The node that a fork begins with, and all that comes behind it: the rest of its round, and of the rounds around it. */
class Cut {
  readonly #levels: readonly {
    readonly node: CompiledNode;
    readonly behind: ReadonlySet<CompiledNode>;
    /** Of what is inside the node; none in the last level. */
    readonly round: number;
  }[];

  constructor({ node, scope, around }: NodePlace) {
    this.#levels = [
      ...around.map(({ container, scope: beside, round }) => ({
        node: container,
        behind: nodesBehind(beside, container),
        round,
      })),
      { node, behind: nodesBehind(scope, node), round: -1 },
    ];
  }

  sideOf({ node, around }: NodePlace): Side {
    // The last level, at the latest, ends the walk.
    for (let at = 0; ; at += 1) {
      const level = this.#levels[at]!;
      const inside = around[at];
      const here = inside?.container ?? node;
      if (here !== level.node) {
        if (level.behind.has(here)) return "behind";
        return inside === undefined ? "beside" : "apart";
      }
      if (at === this.#levels.length - 1) return inside === undefined ? "at" : "behind";
      if (inside === undefined) return "around";
      if (inside.round !== level.round)
        return level.node.type === "while" && inside.round > level.round ? "behind" : "apart";
    }
  }
}

/** What is over and does not begin again, whatever was under way in it: containers that ended, and rounds that ended with a failure. */
class Settled {
  readonly #keys = new Set<string>();

  add({ nodeKey, around }: NodePlace, { status, isHandled }: ForkRecord): void {
    this.#keys.add(nodeKey);
    if (status === "FAILED" && !isHandled)
      for (const inner of around.slice(-1)) this.#keys.add(roundOf(inner));
  }

  covers({ around }: NodePlace): boolean {
    return around.some((one) => this.#keys.has(one.containerKey) || this.#keys.has(roundOf(one)));
  }
}

function roundOf({ containerKey, round }: Surrounding): string {
  return `${containerKey}#${round}`;
}

/** Rounds of `while` loops that begin again with nothing of them kept. */
class RoundsToMark {
  readonly #rounds = new Map<string, NodePlace | undefined>();

  see(place: NodePlace, fate: Fate): void {
    const inner = place.around.at(-1);
    if (inner?.container.type !== "while") return;
    const round = roundOf(inner);
    if (fate !== "again") this.#rounds.set(round, undefined);
    else if (!this.#rounds.has(round)) this.#rounds.set(round, place);
  }

  toMark(): NodePlace[] {
    return [...this.#rounds.values()].filter((place) => place !== undefined);
  }
}
