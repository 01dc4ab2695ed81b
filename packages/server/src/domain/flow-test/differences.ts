import type { TestText } from "@millrace/contract/manage/replays";
import { pathText } from "../documents/fault.ts";
import type { Sliced } from "../sliced.ts";
import { say } from "./test-texts.ts";

const MAX_FOUND = 20;
const MAX_SHOWN = 300;
const VALUES_IN_ONE_GO = 200;

/** One place in which two JSON values differ; values as JSON, shortened. */
export interface Difference {
  /** `lines[2].price`; empty for the value itself. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface Differences {
  readonly found: readonly Difference[];
  /** How many more there are. */
  readonly more: number;
}

/** Place by place what differs between two JSON values. */
export function* diffValues(before: unknown, after: unknown, maxFound = MAX_FOUND): Sliced<Differences> {
  const walk = new Walk(maxFound);
  yield* walk.compare(before, after, []);
  return { found: walk.found, more: walk.more };
}

/** The same in words; those of a call say which one it was. */
export function* differences(expected: unknown, actual: unknown, call?: number): Sliced<TestText[]> {
  const { found, more } = yield* diffValues(expected, actual);
  const texts = found.map(({ path, before, after }) => {
    const value = { path, expected: before, actual: after };
    return call === undefined ? say("value", value) : say("call-value", { number: call, ...value });
  });
  return more === 0 ? texts : [...texts, say("more", { count: more })];
}

/** What is undefined is left out of JSON, so it is as good as missing; the order of keys says nothing. */
export function* isEqual(one: unknown, other: unknown): Sliced<boolean> {
  const walk = new Walk(1);
  for (const _ of walk.compare(one, other, [])) {
    if (walk.found.length > 0) break;
    yield;
  }
  return walk.found.length === 0;
}

class Walk {
  readonly found: Difference[] = [];
  more = 0;
  readonly #maxFound: number;
  #values = 0;

  constructor(maxFound: number) {
    this.#maxFound = maxFound;
  }

  *compare(before: unknown, after: unknown, path: readonly PropertyKey[]): Sliced<void> {
    if (Object.is(before, after)) return;
    this.#values += 1;
    if (this.#values % VALUES_IN_ONE_GO === 0) yield;
    if (Array.isArray(before) && Array.isArray(after)) {
      for (let index = 0; index < Math.max(before.length, after.length); index += 1)
        yield* this.compare(before[index], after[index], [...path, index]);
    } else if (isObject(before) && isObject(after)) {
      for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
        yield* this.compare(own(before, key), own(after, key), [...path, key]);
    } else if (before !== after) this.#note(before, after, path);
  }

  #note(before: unknown, after: unknown, path: readonly PropertyKey[]): void {
    if (this.found.length >= this.#maxFound) this.more += 1;
    else this.found.push({ path: pathText(path), before: valueText(before), after: valueText(after) });
  }
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

export function valueText(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
