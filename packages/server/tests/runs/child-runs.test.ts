import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chain, fan, node, type TestNode } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService({ concurrency: 20 });
  await service.flow("flow_leaf", chain(node("done", "return", { value: { n: "{{ data.n }}" } })));
  await service.flow("flow_long", chain(node("nap", "wait", { duration: "1h" })));
});
afterAll(() => service.stop());
beforeEach(async () => {
  await gate?.close();
  gate = await startGate();
});
afterAll(() => gate.close());

describe("a child that fails", () => {
  beforeAll(async () => {
    await service.flow("flow_bad", chain(node("no", "fail", { message: "no {{ data.n }}" })));
  });

  it("is started anew by each attempt of its node, and no more", async () => {
    const retry = { retry: { maxAttempts: 3, backoffSeconds: 0 }, onError: "continue" };
    await service.flow("flow_retried", chain(node("child", "run-flow", { flowId: "flow_bad" }, retry)));
    const id = await service.begin("flow_retried");
    const run = await service.untilEnd(id);
    expect(run.status).toBe("COMPLETED");
    expect(run.output.child.error.message).toContain("ended FAILED: no");
    expect(await service.children(id)).toHaveLength(3);
    expect(await service.rows(`SELECT attempt FROM run_waits WHERE run_id = $1 ORDER BY 1`, id)).toEqual([
      { attempt: 1 },
      { attempt: 2 },
      { attempt: 3 },
    ]);
  });

  it("is started once in a loop that goes on, through all its pauses", async () => {
    await service.flow("flow_bad_loop", {
      nodes: [
        { id: "start", type: "start", data: {} },
        node("each", "for-each", { items: [1, 2, 3, 4, 5], concurrency: 2, onItemError: "continue" }),
        { ...node("child", "run-flow", { flowId: "flow_bad", data: { n: "{{ item }}" } }), parentId: "each" },
      ],
      edges: [{ id: "a", source: "start", target: "each" }],
    });
    const id = await service.begin("flow_bad_loop");
    const run = await service.untilEnd(id);
    expect(run.status).toBe("COMPLETED");
    expect(run.output.each.errors).toHaveLength(5);
    expect(await service.children(id)).toHaveLength(5);
  });
});

describe("what has been begun has happened", () => {
  it("a child that nobody waits for exists although another branch returns at once", async () => {
    await service.flow(
      "flow_return",
      fan(
        node("fire", "run-flow", { flowId: "flow_leaf", wait: false }),
        // Its input is evaluated in another process, and takes its time.
        node("later", "run-flow", {
          flowId: "flow_leaf",
          wait: false,
          data: { n: "{{ $sum([1..1000].($sum([1..100]))) }}" },
        }),
        node("done", "return", { value: { ok: true } }),
      ),
    );
    const id = await service.begin("flow_return");
    expect((await service.untilEnd(id)).output).toEqual({ ok: true });
    expect(await service.children(id)).toHaveLength(2);
    await until("both children have ended", async () =>
      (await service.children(id)).every(({ status }) => status === "COMPLETED"),
    );
  });

  it("a child that nobody waits for outlives a parent that fails", async () => {
    await service.flow(
      "flow_fire_fail",
      chain(
        node("fire", "run-flow", { flowId: "flow_long", wait: false }),
        node("stop", "fail", { message: "enough" }),
      ),
    );
    const id = await service.begin("flow_fire_fail");
    expect((await service.untilEnd(id)).status).toBe("FAILED");
    const child = await service.untilChild(id, "PAUSED", "CANCELED");
    expect(child.status).toBe("PAUSED");
  });
});

describe("a parent that ends", () => {
  const parents = async (name: string, ...rest: TestNode[]) => {
    const call = (id: string, flowId: string, more: object = {}) => node(id, "run-flow", { flowId, ...more });
    await service.flow(`${name}_middle`, chain(call("inner", "flow_long")));
    await service.flow(
      name,
      fan(
        call("waited", `${name}_middle`),
        call("kept", "flow_long", { onParentEnd: "leave" }),
        call("fired", "flow_long", { wait: false }),
        ...rest,
      ),
    );
    const id = await service.begin(name);
    const children = await until("grandchildren and children are paused", async () => {
      const rows = await service.rows(
        `SELECT c.id, c.flow_id, c.parent_node_key, c.status, g.id AS inner_id, g.status AS inner_status FROM runs c
             LEFT JOIN runs g ON g.parent_run_id = c.id WHERE c.parent_run_id = $1`,
        id,
      );
      const by = new Map(rows.map((row) => [row.parent_node_key, row]));
      const paused = ["waited", "kept", "fired"].every((key) => by.get(key)?.status === "PAUSED");
      return paused && by.get("waited")!.inner_status === "PAUSED" && by;
    });
    return {
      id,
      waited: children.get("waited")!.id as string,
      inner: children.get("waited")!.inner_id as string,
      kept: children.get("kept")!.id as string,
      fired: children.get("fired")!.id as string,
    };
  };
  const expectFamily = async ({ waited, inner, kept, fired }: Record<string, string>) => {
    await until(
      "the waited-for ones are canceled",
      async () =>
        (await service.status(waited!)) === "CANCELED" && (await service.status(inner!)) === "CANCELED",
    );
    expect([await service.status(kept!), await service.status(fired!)]).toEqual(["PAUSED", "PAUSED"]);
  };

  it("by a cancel takes the children it waits for with it, theirs too, and leaves the others", async () => {
    const family = await parents("flow_family_cancel", gate.node("slow"));
    await service.send("POST", `/api/runs/${family.id}/cancel`, { key: service.key });
    expect(await service.status(family.id)).toBe("CANCELED");
    await expectFamily(family);
  });

  it("by a failure does the same", async () => {
    const family = await parents("flow_family_fail", gate.node("slow"));
    gate.letGo(500);
    expect((await service.untilEnd(family.id)).status).toBe("FAILED");
    await expectFamily(family);
  });

  it("by its time limit does the same", async () => {
    const family = await parents("flow_family_time", gate.node("slow"));
    await service.rows(
      `UPDATE runs SET deadline_at = clock_timestamp() - interval '1 minute' WHERE id = $1`,
      family.id,
    );
    expect((await service.untilEnd(family.id)).status).toBe("TIMED_OUT");
    await expectFamily(family);
  });

  it("by a crash does the same", async () => {
    const family = await parents("flow_family_crash", gate.node("slow"));
    await service.rows(
      `UPDATE runs SET recoveries = 2, process_id = gen_random_uuid(), epoch = epoch + 1 WHERE id = $1`,
      family.id,
    );
    expect((await service.untilEnd(family.id)).status).toBe("CRASHED");
    await expectFamily(family);
  });
});
