import { afterEach, beforeEach, expect, it } from "vitest";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { startTestService } from "../support/service.ts";
import { addRun } from "../support/runs.ts";
import { addFlow, addOrganization } from "../support/workspace.ts";

const RUNS = 20;

let service: RunTestService;
let gate: Gate;
beforeEach(async () => {
  service = await startRunService({ concurrency: 1_000 }, () =>
    startTestService({ MILLRACE_RUN_MEMORY_MB: "4" }),
  );
  gate = await startGate();
});
afterEach(async () => {
  await gate.close();
  await service.stop();
});

const statusesOf = async (organizationId: string): Promise<string[]> =>
  (await service.rows(`SELECT status FROM runs WHERE organization_id = $1`, organizationId)).map(
    ({ status }) => status,
  );

it("runs that hold much go on a few at a time, beside others that hold little, and all of them end", async () => {
  const text = "{{ data.text }}".repeat(15);
  const large = node("large", "set", { values: { text } });
  await service.flow("flow_large", chain(large, gate.node("held"), node("small", "set", { values: {} })));
  const { pool } = service.database;
  await addOrganization(pool, "org_small");
  await addFlow(pool, "org_small", "flow_small", { graph: hello });
  const data = { text: "x".repeat(100_000) };
  await Promise.all(Array.from({ length: RUNS }, () => service.begin("flow_large", { payload: { data } })));
  await gate.untilArrived(1);
  for (let round = 1; round <= 3; round += 1) {
    await addRun(pool, { organizationId: "org_small", flowId: "flow_small" });
    await until("the run that holds little has ended", async () => {
      const statuses = await statusesOf("org_small");
      return statuses.length === round && statuses.every((status) => status === "COMPLETED");
    });
  }
  // Each holds three megabytes of the four that there are: one goes on because it is the first, and few others have begun.
  expect(gate.arrived.length).toBeLessThanOrEqual(4);
  const begun = (await statusesOf("org_run")).filter((status) => status === "EXECUTING");
  expect(begun.length).toBeLessThanOrEqual(4);
  gate.open();
  await until("all have ended", async () => {
    const statuses = await statusesOf("org_run");
    return statuses.length === RUNS && statuses.every((status) => status === "COMPLETED");
  });
}, 120_000);
