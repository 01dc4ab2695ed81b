import { describe, expect, test } from "vitest";
import type { NodeServices } from "../../src/engine/nodes/node-type.ts";
import { answer, kept } from "./support/kept-records.ts";
import { graphOf, node, run } from "./support/test-flow.ts";

const start = node("start", "start");
const set = (id: string, values: Record<string, unknown>) => node(id, "set", { values });

describe("checkpoints", () => {
  test("one is saved after the other, and what happened meanwhile goes together", async () => {
    const begun: string[][] = [];
    const first = Promise.withResolvers<void>();
    const graph = graphOf(
      [
        start,
        ...["x", "y", "z"].map((id, at) => node(id, "effect", { after: ["", "x", "y"][at]! })),
        set("end", {}),
      ],
      "start x \n start y \n start z \n x end \n y end \n z end",
    );
    const running = run(graph, {
      onNode: ({ nodeKey, status }) =>
        void (nodeKey === "z" && status === "COMPLETED" && setImmediate(first.resolve)),
      checkpoints: {
        restored: new Map(),
        save: async (records) => {
          begun.push(records.map(({ nodeKey }) => nodeKey));
          if (begun.length === 1) await first.promise;
        },
      },
    });
    await first.promise;
    expect(begun).toEqual([["start", "x"]]);
    expect((await running).outcome).toMatchObject({ kind: "completed" });
    expect(begun).toEqual([
      ["start", "x"],
      ["y", "z"],
    ]);
  });

  test("an effect is saved, with all pure nodes so far, before the next node begins", async () => {
    const events: string[] = [];
    const graph = graphOf(
      [start, set("a", {}), node("x", "effect"), set("b", {}), node("y", "effect"), set("c", {})],
      "start a \n a x \n x b \n b y \n y c",
    );
    const { outcome } = await run(graph, {
      onNode: ({ nodeKey, status }) => void (status === "EXECUTING" && events.push(nodeKey)),
      checkpoints: {
        restored: new Map(),
        save: async (records) => {
          events.push(`save ${records.map(({ nodeKey }) => nodeKey).join(" ")}`);
          await new Promise(setImmediate);
          events.push("saved");
        },
      },
    });
    expect(events).toEqual([
      "start",
      "a",
      "x",
      "save start a x",
      "saved",
      "b",
      "y",
      "save b y",
      "saved",
      "c",
    ]);
    expect(outcome.records.map(({ nodeKey }) => nodeKey)).toEqual(["c"]);
  });

  test("no two moments of a run are the same, however slow its clock is", async () => {
    const graph = graphOf([start, set("z", {}), node("x", "effect"), set("a", {})], "start z \n z x \n x a");
    const restored = new Map([answer("start", {}, "out")]);
    const services = { now: () => 1.5 } as NodeServices;
    const { saved, outcome } = await run(graph, { restored, services });
    const records = [...saved.flat(), ...outcome.records];
    const moments = records.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt]);
    expect(moments).toHaveLength(6);
    expect(moments.every((moment, at) => moment > (moments[at - 1] ?? 2))).toBe(true);
  });

  test("a flow of pure nodes is never saved on its way", async () => {
    const { saved, outcome } = await run(graphOf([start, set("a", {}), set("b", {})], "start a \n a b"));
    expect(saved).toEqual([]);
    expect(outcome.records).toHaveLength(3);
  });

  test("a checkpoint that cannot be saved ends the run at once", async () => {
    const began: string[] = [];
    const graph = graphOf(
      [start, node("x", "effect"), node("hang", "hang"), set("b", {})],
      "start x \n start hang \n x b",
    );
    const ended = run(graph, {
      onNode: ({ nodeKey }) => void began.push(nodeKey),
      checkpoints: {
        restored: new Map(),
        save: async () => {
          throw new Error("not mine any more");
        },
      },
    });
    await expect(ended).rejects.toThrow("not mine any more");
    expect(began).not.toContain("b");
  });

  test("an end waits for checkpoints on their way", async () => {
    let isSaved = false;
    const graph = graphOf(
      [
        start,
        node("x", "effect"),
        set("after", {}),
        node("y", "effect", { delayMs: 5 }),
        node("r", "return", { value: {} }),
      ],
      "start x \n x after \n start y \n y r",
    );
    const { outcome } = await run(graph, {
      checkpoints: {
        restored: new Map(),
        save: async (records) => {
          if (records.some(({ nodeKey }) => nodeKey === "y")) return;
          await new Promise((resolve) => setTimeout(resolve, 40));
          isSaved = true;
        },
      },
    });
    expect(outcome.kind).toBe("completed");
    expect(isSaved).toBe(true);
  });

  test("restored nodes are not executed again, and their outputs are there", async () => {
    const graph = graphOf(
      [
        start,
        node("x", "effect", { value: 7 }),
        node("y", "flaky", { times: 1 }),
        set("end", { v: "{{ nodes.x.value }}" }),
      ],
      "start x \n x y \n y end",
    );
    const first = await run(graph);
    expect(first.outcome.kind).toBe("failed");
    const second = await run(
      graphOf(
        graph.nodes.map((each) => (each.id === "y" ? node("y", "flaky", { times: 0 }) : each)) as never,
        "start x \n x y \n y end",
      ),
      { restored: kept(first) },
    );
    expect(second.began).toEqual(["y", "end"]);
    expect(second.effects).toEqual([]);
    expect(second.outcome).toMatchObject({ kind: "completed", output: { end: { v: 7 } } });
  });

  test("a failure that was handled is not tried again", async () => {
    const graph = graphOf(
      [start, node("x", "flaky", { times: 1 }, { onError: "branch" }), node("ask", "suspend"), set("ok", {})],
      "start x \n x:error ask \n ask:approved ok \n x ok",
    );
    const first = await run(graph);
    expect(first.outcome.kind).toBe("suspended");
    const second = await run(graph, { restored: new Map([...kept(first), answer("ask", {}, "approved")]) });
    expect(second.began).toEqual(["ok"]);
  });
});
