import type { TestGraph, TestNode } from "../support/runs-flows.ts";
import { node } from "../support/runs-flows.ts";

/** Every effect of the flow is a call of `<receiver>/<token>/<effect>`, and happens once in a run. */
const call = (receiver: string, id: string, effect: string): TestNode =>
  node(id, "http-request", { url: `${receiver}/{{ data.token }}/${effect}`, expect: "2xx" });

const inside = (parentId: string, child: TestNode): TestNode => ({ ...child, parentId });

function graphOf(nodes: readonly TestNode[], edges: readonly string[]): TestGraph {
  return {
    nodes: [{ id: "start", type: "start", data: {} }, ...nodes],
    edges: edges.map((edge, at) => {
      const [source, target] = edge.split(" ");
      return { id: `e${at}`, source: source!, target: target! };
    }),
  };
}

const CHILD_FLOW = "flow_storm_child";
export const MAIN_FLOW = "flow_storm";

/** A loop, a `while`, a loop inside a loop, branches side by side and a sub-flow. */
export function stormFlows(receiver: string): Readonly<Record<string, TestGraph>> {
  const child = graphOf(
    ["c1", "c2", "c3"].map((id) => call(receiver, id, id)),
    ["start c1", "c1 c2", "c2 c3"],
  );
  const main = graphOf(
    [
      call(receiver, "a", "a"),
      node("loop", "for-each", { items: "{{ [0, 1, 2] }}", concurrency: 2 }),
      inside("loop", call(receiver, "x", "x{{ item }}")),
      inside("loop", call(receiver, "y", "y{{ item }}")),
      node("again", "while", { condition: "{{ index < 3 }}" }),
      inside("again", call(receiver, "p", "p{{ index }}")),
      inside("again", call(receiver, "q", "q{{ index }}")),
      node("sub", "run-flow", { flowId: CHILD_FLOW, data: { token: "{{ data.token }}" } }),
      call(receiver, "b", "b"),
      node("nest", "for-each", { items: "{{ [0, 1] }}" }),
      inside(
        "nest",
        node("inner", "for-each", { items: `{{ [{"o": item, "i": 0}, {"o": item, "i": 1}] }}` }),
      ),
      inside("inner", call(receiver, "n", "n{{ item.o }}{{ item.i }}")),
      inside("nest", call(receiver, "m", "m{{ item }}")),
      node("shape", "set", { values: { token: "{{ data.token }}", chance: "{{ $random() }}" } }),
      call(receiver, "z", "z"),
    ],
    [
      "start a",
      "a loop",
      "x y",
      "loop again",
      "p q",
      "again sub",
      "sub shape",
      "shape z",
      "start b",
      "b z",
      "start nest",
      "inner m",
      "nest z",
    ],
  );
  return { [CHILD_FLOW]: child, [MAIN_FLOW]: main };
}

const each = (letters: string, ...rounds: number[]) =>
  rounds.flatMap((n) => letters.split("").map((l) => `${l}${n}`));
const CHILD = ["c1", "c2", "c3"];
const AFTER_AGAIN = [...CHILD, "z"];
const AFTER_LOOP = [...each("pq", 0, 1, 2), ...AFTER_AGAIN];
const roundsFrom = (first: number) => [0, 1, 2].filter((n) => n >= first);

/** What a fork from each node key executes, written down by hand and not by the planner that is tested. */
export const REST: Readonly<Record<string, readonly string[]>> = {
  start: ["a", "b", ...each("xy", 0, 1, 2), "n00", "n01", "n10", "n11", "m0", "m1", ...AFTER_LOOP],
  a: ["a", ...each("xy", 0, 1, 2), ...AFTER_LOOP],
  loop: [...each("xy", 0, 1, 2), ...AFTER_LOOP],
  ...Object.fromEntries([0, 1, 2].map((n) => [`x[${n}]`, [...each("xy", n), ...AFTER_LOOP]])),
  ...Object.fromEntries([0, 1, 2].map((n) => [`y[${n}]`, [`y${n}`, ...AFTER_LOOP]])),
  again: AFTER_LOOP,
  ...Object.fromEntries([0, 1, 2].map((n) => [`p[${n}]`, [...each("pq", ...roundsFrom(n)), ...AFTER_AGAIN]])),
  ...Object.fromEntries(
    [0, 1, 2].map((n) => [`q[${n}]`, [`q${n}`, ...each("pq", ...roundsFrom(n + 1)), ...AFTER_AGAIN]]),
  ),
  sub: AFTER_AGAIN,
  shape: ["z"],
  z: ["z"],
  b: ["b", "z"],
  nest: ["n00", "n01", "n10", "n11", "m0", "m1", "z"],
  ...Object.fromEntries([0, 1].map((o) => [`inner[${o}]`, [`n${o}0`, `n${o}1`, `m${o}`, "z"]])),
  ...Object.fromEntries(
    [0, 1].flatMap((o) => [0, 1].map((i) => [`inner[${o}].n[${i}]`, [`n${o}${i}`, `m${o}`, "z"]])),
  ),
  ...Object.fromEntries([0, 1].map((o) => [`m[${o}]`, [`m${o}`, "z"]])),
};

export const EFFECTS = REST["start"]!;
