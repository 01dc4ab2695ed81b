import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeWebhookToken } from "../../src/operations/webhooks/make-webhook-token.ts";
import { pauseRun } from "../../src/storage/runs/pause-run.ts";
import { answerApproval } from "../../src/storage/runs/answer-waits.ts";
import { beginWaits } from "../../src/storage/runs/begin-waits.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { executing } from "../support/runs-storage.ts";
import { until } from "../support/runs-until.ts";
import { addEndpoint } from "./delivery.ts";

let service: RunTestService;
let receiver: Awaited<ReturnType<typeof startLoopbackServer>>;
beforeAll(async () => {
  receiver = await startLoopbackServer((_, response) => void response.writeHead(204).end());
  service = await startRunService({ concurrency: 100 });
  await addEndpoint(service.database.pool, { id: "whk_all", url: receiver.url, organizationId: "org_run" });
  await service.flow("flow_hello", hello);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const PLAIN = ["run.created", "run.started", "run.completed"];

async function toldBy(runId: string): Promise<string[]> {
  const { rows } = await service.database.pool.query(
    `SELECT type, seq FROM events WHERE run_id = $1 ORDER BY seq`,
    [runId],
  );
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, at) => at + 1));
  return rows.map(({ type }) => type);
}

async function endedRun(condition: string): Promise<string> {
  return until(`a run with ${condition} has ended`, async () => {
    const { rows } = await service.database.pool.query(
      `SELECT id FROM runs WHERE ${condition} AND completed_at IS NOT NULL`,
    );
    return rows[0]?.id;
  });
}

describe("a run tells its whole path, whoever started it:", () => {
  it("the API", async () => {
    const id = await service.begin("flow_hello");
    await service.untilEnd(id);
    expect(await toldBy(id)).toEqual(PLAIN);
  });

  it("a webhook", async () => {
    const parts = { db: service.database.pool, secrets: service.secrets };
    const token = await makeWebhookToken(parts, "org_run", "flow_hello");
    const answer = await service.send("POST", `/app/webhooks/millrace/flow_hello/${token}`, { body: {} });
    expect(answer.status).toBe(202);
    expect(await toldBy(await endedRun("trigger_source = 'webhook'"))).toEqual(PLAIN);
  });

  it("a schedule", async () => {
    await service.database.pool.query(
      `INSERT INTO flow_schedules (organization_id, flow_id, id, cron, timezone, next_at) VALUES ('org_run', 'flow_hello', 'nightly', '0 3 * * *', 'UTC', now())`,
    );
    expect(await toldBy(await endedRun("trigger_source = 'schedule'"))).toEqual(PLAIN);
  });

  it("another run, which it resumes", async () => {
    await service.flow("flow_parent", chain(node("call", "run-flow", { flowId: "flow_hello" })));
    const id = await service.begin("flow_parent");
    await service.untilEnd(id);
    expect(await toldBy(await endedRun(`parent_run_id = '${id}'`))).toEqual(PLAIN);
    expect(await toldBy(id)).toEqual([
      "run.created",
      "run.started",
      "run.paused",
      "run.resumed",
      "run.completed",
    ]);
  });
});

describe("a run that goes on tells that it was resumed:", () => {
  it("by the time it waited for", async () => {
    await service.flow("flow_wait", chain(node("nap", "wait", { duration: "1h" })));
    const id = await service.begin("flow_wait");
    await service.untilStatus(id, "PAUSED");
    await service.database.pool.query(`UPDATE run_waits SET due_at = now() WHERE run_id = $1`, [id]);
    await service.untilEnd(id);
    expect((await toldBy(id)).slice(2)).toEqual(["run.paused", "run.resumed", "run.completed"]);
  });

  it("by an answer that came before it had paused", async () => {
    const { pool } = service.database;
    const { run } = await executing(pool, { flowId: "flow_hello" });
    const wait = { nodeKey: "ask", nodeId: "ask", attempt: 1 };
    await beginWaits(pool, "org_run", [{ runId: run.id, epoch: 1, kind: "approval", ...wait }]);
    await answerApproval(pool, {
      organizationId: "org_run",
      runId: run.id,
      answer: { decision: "approved", by: "rosa" },
    });
    expect(await pauseRun(pool, { ...run, records: [], waits: [wait] })).toBe(true);
    expect(await toldBy(run.id)).toEqual(["run.created", "run.started", "run.paused", "run.resumed"]);
  });
});
