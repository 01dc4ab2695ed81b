import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDueSchedules } from "../../src/storage/schedules/find-due-schedules.ts";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

let service: RunTestService;
let key: string;
beforeAll(async () => {
  service = await startRunService();
  key = service.key;
  await deploy("flow_s", [
    { id: "nightly", cron: "0 3 * * *", timezone: "Europe/Istanbul", data: { from: "nightly" } },
    { id: "often", cron: "*/5 * * * *" },
  ]);
});
afterAll(() => service.stop());

async function deploy(id: string, schedules: object[]): Promise<void> {
  const graph = chain(node("end", "return", { value: { data: "{{ data }}" } }));
  const document = { kind: "Flow", id, organizationId: "org_run", name: id, schedules, graph };
  const body = { files: [{ path: "a.json", text: JSON.stringify(document) }] };
  expect((await service.send("POST", "/manage/documents", { key, body })).status).toBe(200);
}

const at = (scheduleId: string, verb: string) =>
  service.send("POST", `/manage/flows/flow_s/schedules/${scheduleId}/${verb}`, { key });
const list = async () => {
  const { data } = (await service.get("/manage/schedules", key)).body.data;
  return Object.fromEntries(data.map((one: { id: string }) => [one.id, one]));
};

describe("schedules", () => {
  it("are listed with their next five times", async () => {
    const { nightly, often } = await list();
    expect(nightly).toMatchObject({
      flowId: "flow_s",
      organizationId: "org_run",
      cron: "0 3 * * *",
      timezone: "Europe/Istanbul",
      data: { from: "nightly" },
      state: "running",
    });
    const hours = nightly.next.map((time: string) => new Date(time).toISOString().slice(11, 16));
    expect(hours).toEqual(Array(5).fill("00:00"));
    const minutes = often.next.map((time: string) => Date.parse(time) / 60_000);
    expect(minutes.map((minute: number) => minute - minutes[0])).toEqual([0, 5, 10, 15, 20]);
    expect(Math.min(...minutes) * 60_000).toBeGreaterThan(Date.now() - 300_000);
  });

  it("run now, with their data, when asked", async () => {
    const { status, body } = await at("nightly", "run");
    expect(status).toBe(201);
    const run = await service.untilEnd(body.data.id);
    expect(run).toMatchObject({
      status: "COMPLETED",
      output: { data: { from: "nightly" } },
      payload: { triggerSource: "schedule" },
    });
  });

  it("start nothing while they are paused, and go on from the next time when they are resumed", async () => {
    const { pool } = service.database;
    expect((await at("often", "pause")).body.data).toMatchObject({ id: "often", state: "paused", next: [] });
    expect((await at("often", "pause")).status).toBe(200);
    await pool.query(`UPDATE flow_schedules SET next_at = now() - interval '1 hour' WHERE id = 'often'`);
    expect(await findDueSchedules(pool)).toEqual([]);
    // A document that is applied again does not resume it.
    await deploy("flow_s", [
      { id: "nightly", cron: "0 3 * * *", timezone: "Europe/Istanbul", data: { from: "nightly" } },
      { id: "often", cron: "*/5 * * * *" },
    ]);
    const resumed = (await at("often", "resume")).body.data;
    expect(resumed.state).toBe("running");
    expect(resumed.next).toHaveLength(5);
    expect(Date.parse(resumed.next[0])).toBeGreaterThan(Date.now() - 1_000);
    const audit = (await service.get("/manage/audit?filter[action]=schedule", key)).body.data.data;
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      "schedule.resume",
      "schedule.pause",
      "schedule.run",
    ]);
  });

  it("are 404 where there are none", async () => {
    for (const verb of ["run", "pause", "resume"]) {
      const { status, body } = await at("none", verb);
      expect([status, body.code]).toEqual([404, "schedule_not_found"]);
    }
  });
});
