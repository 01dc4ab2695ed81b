import type { Case, Failing, Source, Step } from "../case.ts";
import * as places from "../places.ts";
import type { Path } from "../places.ts";
import type { Certainty, Ending } from "./expectation.ts";
import { Ledger } from "./ledger.ts";
import { merged } from "./merged.ts";
import { lookUp, textOf, type Value } from "./values.ts";

export interface Interpretation {
  readonly torture: Case;
  /** What is sent with the trigger. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Of the run; a dry run has one. */
  readonly maxAttempts: number;
  /** How many nodes of a container nothing follows: one gives its output, several an object by id. */
  readonly lastNodes: (flow: string, container: string) => number;
}

export interface Start {
  readonly flow: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Calls that came before it. */
  readonly past: ReadonlySet<string>;
}

/** Where a run stands on one of its paths. */
export interface Here {
  readonly nodes: Readonly<Record<string, Value>>;
  readonly before: Path;
  readonly keyOf: (id: string) => string;
  readonly item?: Value;
  readonly index?: number;
  readonly past: ReadonlySet<string>;
}

export type Went = { readonly here: Here } | { readonly endings: readonly Ending[] };
export type Fallible<Kind extends Step["kind"] = Step["kind"]> = Step & { kind: Kind; failing: Failing };

/** What is known on the paths of one run, and what is noted there. */
export class Paths {
  protected readonly options: Interpretation;
  protected readonly start: Start;
  protected readonly ledger = new Ledger();
  /** What ended, stays: outputs by key, whatever attempts of the run come after. */
  protected readonly ended = new Map<string, { readonly output: Value; readonly failed: boolean }>();

  constructor(options: Interpretation, start: Start) {
    this.options = options;
    this.start = start;
  }

  protected made(here: Here, id: string, output: Value): { here: Here } {
    this.record(here, id, { attempts: 1 });
    return { here: { ...here, nodes: { ...here.nodes, [id]: output } } };
  }

  protected record(here: Here, id: string, rest?: Parameters<Ledger["record"]>[1]): void {
    this.ledger.record(here.keyOf(id), rest);
  }

  protected expectCall(id: string, here: Here, body: Value, certainty: Certainty, count = 1): Here {
    const key = here.keyOf(id);
    const call = this.nameOf(here, id);
    this.ledger.call({ id: call, key, body, count, after: here.past }, certainty);
    return { ...here, past: new Set([...here.past, call]) };
  }

  /** Behind everything that was noted since `mark`. */
  protected afterAll(here: Here, mark: number): Here {
    return { ...here, past: new Set([...here.past, ...this.ledger.callIds(mark)]) };
  }

  /** Names an execution among all of its family. */
  protected nameOf(here: Here, id: string): string {
    return `${this.start.at}:${here.keyOf(id)}`;
  }

  protected before(here: Here): Value {
    return this.look(here.before, here);
  }

  protected look(path: Path, { nodes }: Here): Value {
    return lookUp(path, { nodes, data: this.start.data });
  }

  protected read(source: Source, here: Here, id: string): Value {
    switch (source.from) {
      case "fixed":
        return source.value;
      case "before":
        return this.before(here);
      case "text":
        return textOf(this.read(source.of, here, id), this.nameOf(here, id));
      default:
        return here.index === undefined ? 0 : here[source.from];
    }
  }

  protected join(id: string, here: Here, paths: readonly Path[]): Went {
    const join = places.joinOf(id);
    const sources = paths.map((path) => this.look(path, here));
    return this.made(here, join, { value: merged("append", sources, this.nameOf(here, join)) });
  }

  /** Things that happen at the same time: where one of them ends it all, the others may have come to anything. */
  protected beside(works: readonly (() => Went)[], endsAll: (went: Went) => boolean = hasEnded): Went[] {
    const { parts } = this.ledger;
    const wents = works.map((work) => ({ from: parts.length, went: work(), to: parts.length }));
    const ending = wents.filter(({ went }) => endsAll(went));
    for (const one of ending.length > 0 ? wents : [])
      if (ending.length > 1 || one !== ending[0]) this.ledger.relax(one.from, one.to);
    return wents.map(({ went }) => went);
  }
}

function hasEnded(went: Went): boolean {
  return "endings" in went;
}
