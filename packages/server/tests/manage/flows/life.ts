import { describe, expect, it } from "vitest";
import { chain, node } from "../../support/runs-flows.ts";
import { until } from "../../support/runs-until.ts";
import { deploy, get, key, post, returning, service } from "./support.ts";

describe("activating and deactivating", () => {
  it("is shown in the list and rests schedules and webhook", async () => {
    await deploy("flow_act", returning("one"), {
      webhook: { enabled: true },
      schedules: [{ id: "s", cron: "* * * * *" }],
    });
    const off = await post("/manage/flows/flow_act/deactivate");
    expect(off.body.data).toMatchObject({
      id: "flow_act",
      state: "inactive",
      webhook: "enabled",
      schedules: 1,
    });
    const schedules = await get("/manage/schedules");
    expect(schedules.data).toMatchObject([{ flowId: "flow_act", state: "flow-inactive", next: [] }]);
    const on = await post("/manage/flows/flow_act/activate");
    expect(on.body.data.state).toBe("active");
    const listed = (await get("/manage/flows?page[size]=100")).data.find(
      ({ id }: { id: string }) => id === "flow_act",
    );
    expect(listed).toEqual(on.body.data);
    const audit = await get("/manage/audit?filter[target]=flow_act");
    expect(audit.data.map(({ action }: { action: string }) => action)).toEqual([
      "flow.activate",
      "flow.deactivate",
      "flow.create",
    ]);
  });
});

describe("deleting a flow", () => {
  const asking = chain(node("ask", "approval", { message: "Go on?" }));
  const statusOf = async (runId: string) => (await service.get(`/api/runs/${runId}`, key)).body.data.status;

  async function waitingRuns(flowId: string): Promise<string[]> {
    await deploy(flowId, asking);
    const paused = await service.begin(flowId);
    await until("it is paused", async () => (await statusOf(paused)) === "PAUSED");
    const delayed = await service.begin(flowId, { delay: "1h" });
    return [paused, delayed];
  }

  it("says beforehand what becomes of its runs, and then does exactly that", async () => {
    const [paused, delayed] = await waitingRuns("flow_gone");
    const preview = await get("/manage/flows/flow_gone/deletion");
    expect(preview.runs).toEqual({
      executing: { count: 0, becomes: "goes on" },
      queued: { count: 0, becomes: "canceled" },
      delayed: { count: 1, becomes: "canceled" },
      paused: { count: 1, becomes: "canceled" },
    });
    const { status, body } = await service.send("DELETE", "/manage/flows/flow_gone", { key });
    expect([status, body.data]).toEqual([200, { ...preview, deletedAt: expect.any(String) }]);
    await until(
      "both are canceled",
      async () => (await statusOf(paused!)) === "CANCELED" && (await statusOf(delayed!)) === "CANCELED",
    );
    expect((await service.trigger("flow_gone")).status).toBe(404);
    expect((await service.send("DELETE", "/manage/flows/flow_gone", { key })).status).toBe(404);
  });

  it("leaves them alone where that is said", async () => {
    const [paused, delayed] = await waitingRuns("flow_kept");
    const preview = await get("/manage/flows/flow_kept/deletion?runs=keep");
    expect(preview.runs.paused).toEqual({ count: 1, becomes: "goes on" });
    await service.send("DELETE", "/manage/flows/flow_kept?runs=keep", { key });
    expect([await statusOf(paused!), await statusOf(delayed!)]).toEqual(["PAUSED", "WAITING"]);
    const answer = await post(`/api/runs/${paused}/resume`, { decision: "approved" });
    expect(answer.status).toBe(200);
    expect((await service.untilEnd(paused!)).status).toBe("COMPLETED");
  });
});
