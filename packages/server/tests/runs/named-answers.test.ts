import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chain, joined, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService({ concurrency: 20 });
});
afterAll(() => service.stop());

describe("an answer names its wait", () => {
  beforeAll(async () => {
    await service.flow("flow_two_asks", {
      nodes: [
        { id: "start", type: "start", data: {} },
        node("each", "for-each", { items: [1, 2], concurrency: 2 }),
        { ...node("ask", "approval", { message: "Item {{ item }}?" }), parentId: "each" },
        node("done", "return", { value: { all: "{{ nodes.each.items.decision }}" } }),
      ],
      edges: [
        { id: "a", source: "start", target: "each" },
        { id: "b", source: "each", target: "done" },
      ],
    });
  });
  const approvals = async () => {
    const id = await service.begin("flow_two_asks");
    const { waits } = await service.untilStatus(id, "PAUSED");
    return { id, waits: waits as { nodeKey: string; message: string; resumeUrl: string }[] };
  };

  it("400 with the list where several are pending and none is named, by neither key nor id", async () => {
    const { id } = await approvals();
    for (const body of [{ decision: "approved" }, { decision: "approved", nodeId: "ask" }]) {
      const { status, body: refused } = await service.resume(id, body);
      expect([status, refused.code]).toEqual([400, "approval_not_named"]);
      expect(refused.messageParams).toEqual({ runId: id, pending: "ask[0], ask[1]" });
      expect(refused.issues.map(({ message }: { message: string }) => message)).toEqual(["ask[0]", "ask[1]"]);
    }
    expect(await service.status(id)).toBe("PAUSED");
  });

  it("each by its key, once; the second answer to one is 400 although the other is pending", async () => {
    const { id } = await approvals();
    expect((await service.resume(id, { decision: "rejected", nodeId: "ask[1]" })).status).toBe(200);
    const again = await service.resume(id, { decision: "approved", nodeId: "ask[1]" });
    expect([again.status, again.body.code]).toEqual([400, "run_not_resumable"]);
    expect((await service.resume(id, { decision: "approved", nodeId: "ask[0]" })).status).toBe(200);
    expect((await service.untilEnd(id)).output).toEqual({ all: ["approved", "rejected"] });
  });

  it("each by a link of its own", async () => {
    const { id, waits } = await approvals();
    expect(waits.map(({ nodeKey, message }) => [nodeKey, message])).toEqual([
      ["ask[0]", "Item 1?"],
      ["ask[1]", "Item 2?"],
    ]);
    const [first, second] = waits.map(({ resumeUrl }) => new URL(resumeUrl).pathname);
    const answer = (path: string, decision: string) => service.send("POST", path, { body: { decision } });
    expect((await answer(second!, "rejected")).status).toBe(200);
    expect((await answer(second!, "approved")).status).toBe(400);
    expect((await answer(first!, "approved")).status).toBe(200);
    expect((await service.untilEnd(id)).output).toEqual({ all: ["approved", "rejected"] });
  });

  it("one that was sent twice without a name does not decide what is asked next", async () => {
    await service.flow(
      "flow_ask_ask",
      joined(
        joined(
          chain(node("first", "approval", { message: "1?" })),
          node("second", "approval", { message: "2?" }),
          ["first", "approved"],
        ),
        node("done", "return", { value: { ok: true } }),
        ["second", "approved"],
      ),
    );
    const id = await service.begin("flow_ask_ask");
    await service.untilStatus(id, "PAUSED");
    expect((await service.resume(id, { decision: "approved" })).status).toBe(200);
    await until("the second question is asked", async () => {
      const { body } = await service.get(`/api/runs/${id}`, service.key);
      return body.data.pause?.nodeKey === "second";
    });
    const again = await service.resume(id, { decision: "approved" });
    expect([again.status, again.body.messageParams.pending]).toEqual([400, "second"]);
    expect((await service.resume(id, { decision: "approved", nodeId: "second" })).status).toBe(200);
    expect((await service.untilEnd(id)).output).toEqual({ ok: true });
  });
});
