import { describe, expect, it } from "vitest";
import { compileFlow } from "../../src/domain/flow/compile.ts";
import { NodePlaces, nodeCountOf, nodesBehind } from "../../src/domain/fork/node-place.ts";
import { type ForkOrder, type ForkRecord, planFork } from "../../src/domain/fork/plan-fork.ts";
import { finishSliced } from "../../src/domain/sliced.ts";
import { catalogue, graphOf, inside, node } from "./support.ts";

const set = (id: string) => node(id, "set", { values: {} });

/** start → a → loop{x → y, deep{n}} → again{p, q} → z; start → b → done; start → call. */
const flow = compileFlow(
  graphOf(
    [
      node("start", "start"),
      set("a"),
      set("b"),
      node("loop", "for-each", { items: [] }),
      inside("loop", set("x")),
      inside("loop", set("y")),
      inside("loop", node("deep", "for-each", { items: [] }, { onError: "continue" })),
      inside("deep", set("n")),
      inside("deep", set("o")),
      node("again", "while", { condition: true }),
      inside("again", set("p")),
      inside("again", set("q")),
      set("z"),
      node("done", "return", {}),
      node("call", "run-flow", { flowId: "flow_x" }),
    ],
    "start a,start b,start call,a loop,a again,x y,loop:done again,again:done z,b done",
  ),
  catalogue,
);
const places = new NodePlaces(flow);

function record(nodeKey: string, more: Partial<ForkRecord> = {}): ForkRecord {
  const { node: found } = places.find(nodeKey) ?? { node: { id: nodeKey, type: "set" } };
  const status = more.status ?? "COMPLETED";
  return { nodeKey, nodeId: found.id, type: found.type, status, isHandled: false, goesOn: false, ...more };
}
const all = [
  "start",
  "a",
  "b",
  "loop",
  ...[0, 1].flatMap((n) => [`x[${n}]`, `y[${n}]`, `deep[${n}]`, `deep[${n}].n[0]`, `deep[${n}].o[0]`]),
  "again",
  ...[0, 1, 2].flatMap((n) => [`p[${n}]`, `q[${n}]`]),
  "z",
  "call",
];
function plan(order: Partial<ForkOrder>) {
  const whole = { flow, records: [], from: undefined, given: new Set<string>(), begun: [], ...order };
  return finishSliced(planFork(whole));
}
const forkAt = (from: string, more: Partial<ForkOrder> = {}) =>
  plan({ records: all.map((key) => record(key)), from, ...more });

describe("the place of a node key", () => {
  it("is found in the graph, with the containers around it", () => {
    expect(places.find("a")).toMatchObject({ nodeKey: "a", around: [] });
    expect(places.find("deep[2].n[3]")!.around).toMatchObject([
      { containerKey: "loop", round: 2 },
      { containerKey: "deep[2]", round: 3 },
    ]);
    for (const none of [
      "nobody",
      "a b",
      "",
      "x",
      "a[1]",
      "n[1]",
      "x[1].n[1]",
      "x[1].y[0]",
      "a.b",
      "loop.x[1]",
      "deep[0].a",
    ])
      expect(places.find(none)).toBeUndefined();
  });

  it("has nodes behind it, and counts with all inside it", () => {
    const behind = nodesBehind(flow.root, flow.nodes.get("a")!);
    expect([...behind].map(({ id }) => id).toSorted()).toEqual(["again", "loop", "z"]);
    expect(nodeCountOf(flow.nodes.get("loop")!)).toBe(6);
  });
});

describe("a fork from a node", () => {
  it("keeps what is not behind it", () => {
    expect(forkAt("a")).toMatchObject({
      keep: ["start", "b", "call"],
      reopen: [],
      copiedNodes: 3,
      beginsAt: "a",
    });
    expect(forkAt("z").keep).toEqual(all.filter((key) => key !== "z"));
  });

  it("inside a for-each keeps the other rounds, and what of its own is not behind it", () => {
    const { keep, reopen } = forkAt("x[1]");
    expect(reopen).toEqual(["loop"]);
    expect(keep).toEqual([
      "start",
      "a",
      "b",
      "x[0]",
      "y[0]",
      "deep[0]",
      "deep[0].n[0]",
      "deep[0].o[0]",
      "deep[1]",
      "deep[1].n[0]",
      "deep[1].o[0]",
      "call",
    ]);
  });

  it("that is a container drops all that is inside of it", () => {
    const { keep, reopen } = forkAt("deep[1]");
    expect(reopen).toEqual(["loop"]);
    expect(keep.filter((key) => key.startsWith("deep"))).toEqual(["deep[0]", "deep[0].n[0]", "deep[0].o[0]"]);
  });

  it("inside a loop of a loop enters both again", () => {
    const { keep, reopen } = forkAt("deep[1].n[0]");
    expect(reopen).toEqual(["loop", "deep[1]"]);
    expect(keep).toContain("deep[1].o[0]");
    expect(keep).not.toContain("deep[1].n[0]");
  });

  it("inside a while runs that round and all later ones, and the round stays true", () => {
    const { keep, reopen, mark } = forkAt("p[1]");
    expect(reopen).toEqual(["again"]);
    expect(keep.filter((key) => /^[pq]/.test(key))).toEqual(["p[0]", "q[0]", "q[1]"]);
    expect(mark).toEqual([]);
    const alone = plan({
      records: ["again", "p[0]", "q[0]", "p[1]"].map((key) => record(key)),
      from: "p[1]",
    });
    expect(alone.mark.map(({ nodeKey }) => nodeKey)).toEqual(["p[1]"]);
  });

  it("forgets failures beside it, which would end its round again", () => {
    const records = [
      record("loop", { goesOn: true }),
      record("x[0]", { status: "FAILED" }),
      record("deep[0]", { status: "FAILED" }),
      record("x[1]", { status: "FAILED" }),
    ];
    expect(plan({ records, from: "deep[0]" })).toMatchObject({ keep: ["x[1]"], reopen: ["loop"] });
    expect(plan({ records, from: "x[0]" })).toMatchObject({ keep: ["x[1]"], reopen: ["loop", "deep[0]"] });
  });

  it("leaves out what is given, with all inside of it", () => {
    const { keep } = forkAt("z", { given: new Set(["a", "loop"]) });
    expect(keep).toEqual([
      "start",
      "b",
      "again",
      ...[0, 1, 2].flatMap((n) => [`p[${n}]`, `q[${n}]`]),
      "call",
    ]);
  });
});

describe("a fork from what has not ended well", () => {
  it("keeps what ended, handled failures too, and enters open containers again", () => {
    const records = [
      record("start"),
      record("a", { status: "FAILED", isHandled: true }),
      record("b", { status: "ABORTED" }),
      record("loop", { status: "TIMED_OUT", goesOn: true }),
      record("x[0]", { status: "FAILED" }),
      record("deep[1]", { status: "EXECUTING" }),
      record("deep[1].n[0]", { status: "FAILED" }),
    ];
    expect(plan({ records })).toMatchObject({
      keep: ["start", "a", "x[0]", "deep[1].n[0]"],
      reopen: ["loop", "deep[1]"],
      beginsAt: "deep[1]",
    });
  });

  it("begins at the failure, before what was stopped by it, and inside before outside", () => {
    const records = [
      record("b", { status: "ABORTED" }),
      record("loop", { status: "FAILED" }),
      record("x[0]", { status: "FAILED" }),
    ];
    expect(plan({ records })).toMatchObject({ beginsAt: "x[0]", reopen: ["loop"], keep: [] });
    expect(plan({}).beginsAt).toBeUndefined();
  });

  it("marks the round of a while that failed with its first node", () => {
    const records = [
      record("again", { status: "FAILED" }),
      record("p[0]"),
      record("p[1]", { status: "FAILED" }),
      record("q[1]", { status: "ABORTED" }),
    ];
    expect(plan({ records }).mark.map(({ nodeKey }) => nodeKey)).toEqual(["p[1]"]);
  });

  it("executes `return` again, which ends a run where it is reached", () => {
    expect(plan({ records: [record("b"), record("done")] }).keep).toEqual(["b"]);
  });

  it("carries on what nodes have begun, recorded or not, but for the node it begins with and what is behind it", () => {
    const carried = (order: Partial<ForkOrder>) =>
      plan({ begun: ["call"], ...order }).carry.map(({ nodeKey }) => nodeKey);
    expect(carried({})).toEqual(["call"]);
    expect(carried({ records: [record("call", { status: "ABORTED" })] })).toEqual(["call"]);
    expect(carried({ records: [record("call")] })).toEqual([]);
    expect(carried({ from: "call" })).toEqual([]);
    expect(carried({ from: "start" })).toEqual([]);
    expect(carried({ begun: ["gone"] })).toEqual([]);
  });
});

it("what was stopped in a round that ended with a failure, or in a container that ended, does not begin again", () => {
  const stopped = [
    record("loop", { status: "ABORTED", goesOn: true }),
    record("x[0]", { status: "FAILED" }),
    record("deep[0]", { status: "ABORTED" }),
    record("call[0]", { status: "ABORTED" }),
  ];
  const inLoop = compileFlow(
    graphOf(
      [
        node("start", "start"),
        node("loop", "for-each", { items: [] }),
        inside("loop", set("x")),
        inside("loop", node("call", "run-flow", { flowId: "flow_x" })),
      ],
      "start loop",
    ),
    catalogue,
  );
  const typed = stopped.map((one) =>
    one.nodeKey === "call[0]" ? { ...one, nodeId: "call", type: "run-flow" } : one,
  );
  const over = finishSliced(
    planFork({ flow: inLoop, records: typed, from: undefined, given: new Set(), begun: ["call[0]"] }),
  );
  expect(over).toMatchObject({ keep: ["x[0]"], reopen: ["loop"], carry: [] });
  const ended = typed.map((one) => (one.nodeKey === "loop" ? { ...one, status: "COMPLETED" } : one));
  expect(
    finishSliced(
      planFork({ flow: inLoop, records: ended, from: undefined, given: new Set(), begun: ["call[0]"] }),
    ).carry,
  ).toEqual([]);
});

it("values that the graph has no node for are dropped by name, once", () => {
  const records = [
    record("gone[0]", { nodeId: "gone" }),
    record("gone[1]", { nodeId: "gone" }),
    record("a", { type: "http" }),
    record("loop", { type: "while" }),
    record("x[0]"),
  ];
  expect(plan({ records })).toMatchObject({ keep: [], dropped: ["gone", "a", "loop"] });
});
