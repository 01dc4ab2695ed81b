import type { Block, Step } from "../case.ts";
import * as places from "../places.ts";
import type { Path } from "../places.ts";
import type { Ending } from "./expectation.ts";
import { merged } from "./merged.ts";
import { type Fallible, type Here, Paths, type Went } from "./paths.ts";
import { Ambiguous, anything, plain, Unknown, type Value } from "./values.ts";

/** How steps contain others: ways, branches, rounds, and what follows an error. */
export abstract class Containers extends Paths {
  protected abstract block(block: Block, prefix: string, start: Here): Went;

  protected parallel({ branches, mode }: Step & { kind: "parallel" }, id: string, here: Here): Went {
    const ends = this.beside(
      branches.map((block, at) => () => this.block(block, places.wayOf(id, at), here)),
    );
    const endings = ends.flatMap((end) => ("endings" in end ? end.endings : []));
    if (ends.some((end, at) => leadsNowhere(end) && !places.isClosed(branches[at]!)))
      throw new Ambiguous("what follows does not wait for what ends the flow");
    if (endings.length > 0) return { endings };
    const open = ends.flatMap((end) => ("here" in end ? [end.here] : []));
    const sources = open.map((end, at) => {
      const value = this.before(end);
      return mode === "append" ? value : plain(mode === "combine" ? { [`b${at}`]: value } : [value, at]);
    });
    const join = places.joinOf(id);
    const nodes = Object.assign({}, ...open.map((end) => end.nodes)) as Here["nodes"];
    const together: Here = { ...here, nodes, past: new Set(open.flatMap((end) => [...end.past])) };
    return this.made(together, join, { value: merged(mode, sources, this.nameOf(here, join)) });
  }

  protected forEach(step: Fallible<"for-each">, id: string, here: Here): Went {
    const continues = step.onItemError === "continue";
    const isNoted = (went: Went): boolean => {
      if (!continues || !("endings" in went)) return false;
      const kinds = new Set(went.endings.map(({ kind }) => kind));
      if (kinds.has("error") && kinds.size > 1) throw new Ambiguous("an end or a noted error");
      return kinds.has("error");
    };
    const mark = this.ledger.parts.length;
    let { past } = here;
    const round = (item: Value, index: number) => (): Went => {
      const inside = this.inside({ ...here, past }, id, index, item);
      const noted = this.ended.get(inside.keyOf(""));
      const went: Went = noted
        ? { endings: [{ kind: "error", nodeId: id }] }
        : this.round(step.body, id, inside);
      if (isNoted(went)) this.ended.set(inside.keyOf(""), { output: null, failed: true });
      return went;
    };
    const works = itemsOf(step, this.nameOf(here, id)).map(round);
    const wents: Went[] = [];
    if (step.concurrency > 1)
      wents.push(...this.beside(works, (went) => "endings" in went && !isNoted(went)));
    else
      for (const work of works) {
        const went = work();
        wents.push(went);
        if ("endings" in went && !isNoted(went)) break;
        past = this.afterAll(here, mark).past;
      }
    const endings = wents.flatMap((went) => ("endings" in went && !isNoted(went) ? went.endings : []));
    if (endings.length > 0) return this.endedInside(step, id, this.afterAll(here, mark), endings);
    const items = wents.map((went) => ("here" in went ? went.here.nodes[RESULT] : null));
    const errors = wents.flatMap((went, index) => (isNoted(went) ? [{ index, error: anything }] : []));
    return this.succeeded(step, id, this.afterAll(here, mark), { items, errors });
  }

  /** A round sees what the round before has made. */
  protected while(step: Fallible<"while">, id: string, here: Here): Went {
    const mark = this.ledger.parts.length;
    let last: Value = null;
    let { nodes, past } = here;
    for (let index = 0; index < step.rounds; index++) {
      const went = this.round(step.body, id, this.inside({ ...here, nodes, past }, id, index, last));
      if ("endings" in went) return this.endedInside(step, id, this.afterAll(here, mark), went.endings);
      ({ nodes, past } = went.here);
      last = nodes[RESULT];
    }
    return this.succeeded(step, id, { ...here, past }, { iterations: step.rounds, last });
  }

  protected inside(here: Here, container: string, index: number, item?: Value): Here {
    const key = here.keyOf(container);
    const prefix = key === container ? "" : `${key}.`;
    return { ...here, item, index, keyOf: (id) => `${prefix}${id || container}[${index}]` };
  }

  protected round(body: Block, id: string, inside: Here): Went {
    const prefix = places.bodyOf(id);
    const went = this.block(body, prefix, inside);
    if ("endings" in went) return went;
    const end = places.endOf(prefix);
    const { here } = this.made(went.here, end, plain({ v: this.before(went.here) }));
    const isAlone = this.options.lastNodes(this.start.flow, id) === 1;
    const result = isAlone ? here.nodes[end] : { [end]: here.nodes[end] };
    return { here: { ...here, nodes: { ...here.nodes, [RESULT]: result } } };
  }

  /** An error inside is an error of the container; what was meant to end the run has ended it. */
  protected endedInside(step: Fallible, id: string, here: Here, endings: readonly Ending[]): Went {
    const isError = endings.map(({ kind }) => kind === "error");
    const inside = endings.map((ending) => ({ ...ending, isDead: false }));
    if (isError.every(Boolean)) return this.failed(step, id, here, 1, inside);
    if (isError.some(Boolean) && step.failing.onError !== "fail")
      throw new Ambiguous("an end or a handled error");
    this.record(here, id, { certainty: "maybe", statuses: undefined });
    return { endings: inside };
  }

  protected succeeded(step: Fallible, id: string, here: Here, output: Value, attempts = 1): Went {
    this.record(here, id, { attempts });
    this.ended.set(here.keyOf(id), { output, failed: false });
    return this.pass(step, id, here, output);
  }

  protected pass(step: Fallible, id: string, here: Here, output: Value): Went {
    const after: Here = { ...here, nodes: { ...here.nodes, [id]: output } };
    return step.failing.onError === "branch" ? this.joinHandler(step, id, after) : { here: after };
  }

  protected failed(
    step: Fallible,
    id: string,
    here: Here,
    attempts: number | undefined,
    endings: readonly Ending[] = [{ kind: "error", nodeId: id }],
  ): Went {
    this.record(here, id, { statuses: ["FAILED", "TIMED_OUT"], attempts });
    if (step.failing.onError === "fail") return { endings };
    this.ended.set(here.keyOf(id), { output: undefined, failed: true });
    return this.handle(step, id, here);
  }

  protected handle(step: Fallible, id: string, here: Here): Went {
    const { onError, handler } = step.failing;
    const after: Here = { ...here, nodes: { ...here.nodes, [id]: { error: anything } } };
    if (onError !== "branch") return { here: after };
    const went = this.block(handler, places.handlerOf(id), after);
    if ("endings" in went) return behind(handler, went.endings);
    return this.joinHandler(step, id, { ...went.here, before: here.before });
  }

  protected joinHandler(step: Fallible, id: string, here: Here): Went {
    const handled = lastPath(step.failing.handler, places.handlerOf(id), here.before);
    return this.join(id, here, [places.madeInside(step, id, here.before), handled]);
  }

  /** Ways that were not taken have made nothing. */
  protected way(step: Step, id: string, here: Here, handle: string): Went {
    const ways = places.waysOf(step, id);
    const { prefix, block } = ways.find((way) => way.handle === handle)!;
    const went = this.block(block, prefix, here);
    if ("endings" in went) return behind(block, went.endings);
    return this.join(
      id,
      went.here,
      ways.map((way) => lastPath(way.block, way.prefix, here.before)),
    );
  }
}

/** Where the result of a round is kept between rounds; no node has such an id. */
const RESULT = "";

/** Of a way that nothing is joined to, errors lead nowhere too: what comes behind did not wait for it. */
function behind(way: Block, endings: readonly Ending[]): Went {
  return places.isClosed(way)
    ? { endings: endings.map((ending) => ({ ...ending, isDead: true })) }
    : { endings };
}

function leadsNowhere(went: Went): boolean {
  return "endings" in went && went.endings.some(({ isDead }) => isDead);
}

function lastPath(block: Block, prefix: string, before: Path): Path {
  return block.reduce((path, step, index) => places.madeBy(step, places.idOf(prefix, index), path), before);
}

function itemsOf({ items }: Fallible<"for-each">, name: string): readonly Value[] {
  switch (items.of) {
    case "list":
      return items.values;
    case "shuffled":
      return Array.from({ length: items.count }, (_, at) => new Unknown(`${name}#${at}`));
    case "single":
      return [items.value];
    case "nothing":
      return [];
  }
}
