import { afterAll, beforeAll, expect, it } from "vitest";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService({ concurrency: 1 });
  await service.flow("flow_wait", chain(node("rest", "wait", { duration: "1h" })));
});
afterAll(() => service.stop());

const cancel = (runId: string, query = "") =>
  service.send("POST", `/api/runs/${runId}/cancel${query}`, { key: service.key });

it("a PAUSED run is cancelled with paused=true only, and the 400 without it says so", async () => {
  const id = await service.begin("flow_wait");
  await service.untilStatus(id, "PAUSED");
  for (const query of ["", "?paused=false"]) {
    const refused = await cancel(id, query);
    expect([refused.status, refused.body.code, refused.body.messageParams]).toEqual([
      400,
      "run_not_cancelable",
      { runId: id, status: "PAUSED" },
    ]);
    expect(refused.body.message).toContain("paused=true");
  }
  expect((await cancel(id, "?paused=yes")).body.code).toBe("invalid_query");
  const canceled = await cancel(id, "?paused=true");
  expect([canceled.status, canceled.body.data.status]).toEqual([200, "CANCELED"]);
  expect((await service.get(`/api/runs/${id}`, service.key)).body.data.status).toBe("CANCELED");
  expect((await cancel(id, "?paused=true")).body.code).toBe("run_not_cancelable");
});

it("paused=true takes nothing from the runs that wait or execute", async () => {
  const { body } = await service.send("POST", "/api/runs", {
    key: service.key,
    body: { payload: { flowId: "flow_wait" }, delay: "1h" },
  });
  expect((await cancel(body.data.id, "?paused=true")).status).toBe(200);
});
