import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chain, fan, node } from "../support/runs-flows.ts";
import type { RunTestService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";
import { actionsOf, type AskedService, startAskedService } from "./asked-service.ts";

let asked: AskedService;
let service: RunTestService;
let why: AskedService["why"];
let userKey: string;
let viewerKey: string;

beforeAll(async () => {
  asked = await startAskedService();
  ({ service, why, userKey, viewerKey } = asked);
});
afterAll(() => asked.stop());

/** Runs that rest are held there: nobody has to ask quickly. */
async function restLong(runId: string): Promise<void> {
  await until(`${runId} rests`, async () => {
    const { rowCount } = await service.database.pool.query(
      `UPDATE runs SET due_at = now() + interval '1 hour' WHERE id = $1 AND status = 'WAITING' AND stage = 'delayed'`,
      [runId],
    );
    return rowCount === 1;
  });
}

describe("a run that rests", () => {
  it("waits for its delay", async () => {
    const runId = await service.begin("flow_held", { delay: "1h" });
    const told = await why(runId);
    expect(told).toMatchObject({ waiting: true, cause: "delay" });
    expect(Date.parse(told.until) - Date.parse(told.since)).toBe(3_600_000);
    expect(told.reason).toContain(told.until);
    expect(actionsOf(told)).toEqual(["cancel"]);
  });

  it("waits for its next attempt, and says after which error", async () => {
    await service.flow("flow_broken", chain(node("call", "http-request", { url: "http://127.0.0.1:1/" })));
    const runId = await service.begin("flow_broken", { maxAttempts: 100 });
    await restLong(runId);
    const told = await why(runId);
    expect(told).toMatchObject({ waiting: true, cause: "retry", error: { nodeKey: "call" } });
    expect(told.error.message).not.toBe("");
    expect(told.reason).toContain(`After an error at call (${told.error.name}: `);
    expect(told.reason).toMatch(/attempt \d+ begins at /);
    await service.send("POST", `/api/runs/${runId}/cancel`, { key: service.key });
  });

  it("executes, but only to try one of its nodes again later", async () => {
    const retry = { retry: { maxAttempts: 3, backoffSeconds: 250 } };
    await service.flow(
      "flow_again",
      chain(node("call", "http-request", { url: "http://127.0.0.1:1/" }, retry)),
    );
    const runId = await service.begin("flow_again");
    const told = await until("the node has failed once", async () => {
      const { body } = await service.get(`/api/runs/${runId}/why`, service.key);
      return body.data.cause === "retry" && (await why(runId));
    });
    expect(told).toMatchObject({ waiting: true, error: { nodeKey: "call" } });
    expect(Date.parse(told.until) - Date.parse(told.since)).toBe(250_000);
    expect(told.reason).toContain("attempt 2 begins");
    await service.send("POST", `/api/runs/${runId}/cancel`, { key: service.key });
  });

  it("waits for credits, where its sub-flow could not be paid", async () => {
    const { pool } = service.database;
    await addOrganization(pool, "org_poor");
    await addUser(pool, "paul", { org_poor: "owner" });
    const { key } = await addKey(pool, { organizationId: "org_poor", userId: "paul" });
    await addFlow(pool, "org_poor", "flow_poor", {
      graph: chain(node("sub", "run-flow", { flowId: "flow_paid" })),
    });
    await addFlow(pool, "org_poor", "flow_paid");
    await pool.query(`UPDATE organizations SET credits_limited = true WHERE id = 'org_poor'`);
    await pool.query(
      `INSERT INTO credit_entries (organization_id, id, kind, amount) VALUES ('org_poor', 'opening', 'opening', 2)`,
    );
    const runId = await service.begin("flow_poor", { maxAttempts: 100 }, key);
    await restLong(runId);
    const told = await why(runId, { key });
    expect(told).toMatchObject({
      cause: "credits",
      needs: { kind: "credits" },
      error: { name: "InsufficientCredits", nodeKey: "sub" },
    });
    expect(actionsOf(told)).toEqual(["grant_credits", "cancel"]);
  });
});

describe("a paused run", () => {
  it("waits for an answer: the question, who may give it, and the link that gives it", async () => {
    const runId = await service.begin("flow_asks");
    await service.untilStatus(runId, "PAUSED");
    const told = await why(runId);
    expect(told).toMatchObject({
      waiting: true,
      cause: "approval",
      needs: { kind: "approval", nodeKey: "ask", message: "Really?", role: "member" },
    });
    expect(told.reason).toContain("members of the organization may give it");
    expect(actionsOf(told)).toEqual(["approve", "cancel"]);
    const looked = await why(runId, { key: viewerKey });
    expect(looked.needs.link).toBeUndefined();
    expect(actionsOf(looked)).toEqual([]);
    await service.database.pool.query(`UPDATE organizations SET values_hidden = true WHERE id = 'org_run'`);
    await until("the key knows that values are hidden", async () => {
      const { body } = await service.get(`/api/runs/${runId}/why`, viewerKey);
      return !JSON.stringify(body).includes("Really?") && body.data.needs.nodeKey === "ask";
    });
    expect((await why(runId)).needs.message).toBe("Really?");
    await service.database.pool.query(`UPDATE organizations SET values_hidden = false WHERE id = 'org_run'`);

    const answer = await fetch(told.needs.link, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"decision":"approved"}`,
    });
    expect(answer.status).toBe(200);
    await service.untilEnd(runId);
  });

  it("names who may answer, where the approval does", async () => {
    await service.flow("flow_named", chain(node("ask", "approval", { message: "Ok?", assignees: ["uma"] })));
    const runId = await service.begin("flow_named");
    await service.untilStatus(runId, "PAUSED");
    const told = await why(runId);
    expect(told).toMatchObject({ cause: "approval", needs: { assignees: ["uma"] } });
    expect(told.reason).toContain("by uma, an admin or owner");
    // Who may not answer does not get the link that would do it, from get run neither.
    await addUser(service.database.pool, "mia", { org_run: "member" });
    const { key: other } = await addKey(service.database.pool, { organizationId: "org_run", userId: "mia" });
    for (const [key, isTold] of [
      [userKey, true],
      [other, false],
    ] as const) {
      const asked = await why(runId, { key });
      expect("link" in asked.needs).toBe(isTold);
      expect(actionsOf(asked).includes("approve")).toBe(isTold);
      const { body } = await service.get(`/api/runs/${runId}`, key);
      expect("resumeUrl" in body.data.pause).toBe(isTold);
    }
    await service.send("POST", `/api/runs/${runId}/cancel?paused=true`, { key: service.key });
  });

  it("waits for a time, and one of several is told with how many others there are", async () => {
    await service.flow(
      "flow_waits",
      fan(node("long", "wait", { duration: "1h" }), node("longer", "wait", { duration: "2h" })),
    );
    const runId = await service.begin("flow_waits");
    await service.untilStatus(runId, "PAUSED");
    const told = await why(runId);
    expect(told).toMatchObject({ waiting: true, cause: "timer" });
    expect(told.reason).toMatch(/^The node long(er)? waits until .* \(1 more nodes wait too\)\.$/);
    const cancel = told.actions.find(({ action }: { action: string }) => action === "cancel");
    expect((await service.send(cancel.method, cancel.path, { key: service.key })).status).toBe(200);
  });

  it("waits for the run of a sub-flow, which can be asked in turn", async () => {
    await service.flow("flow_parent", chain(node("call", "run-flow", { flowId: "flow_asks" })));
    const runId = await service.begin("flow_parent");
    const child = await until("the child is paused", async () => {
      const { body } = await service.get(`/api/runs/${runId}/why`, service.key);
      return (
        body.data.heldBy?.[0]?.status === "PAUSED" &&
        body.data.cause === "subflow" &&
        body.data.heldBy[0].runId
      );
    });
    const told = await why(runId);
    expect(told).toMatchObject({ cause: "subflow", heldBy: [{ runId: child, flowId: "flow_asks" }] });
    expect(told.reason).toContain(`waits for the run ${child} of the flow flow_asks, which is PAUSED`);
    expect(told.actions[0]).toMatchObject({ action: "why", path: `/api/runs/${child}/why` });
    expect(await why(child)).toMatchObject({ cause: "approval" });
  });
});
