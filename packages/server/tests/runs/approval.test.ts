import { runResumedAnswer } from "@millrace/contract/trigger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { withPrefix } from "../../src/domain/ids.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService({ concurrency: 1 });
  const answer = (handle: string) => ({
    id: handle,
    type: "return",
    data: { inputs: { value: { handle, answer: "{{ nodes.ask }}" } } },
  });
  await service.flow("flow_ask", {
    nodes: [
      { id: "start", type: "start", data: {} },
      node("ask", "approval", { message: "Refund {{ data.amount }}?", timeout: "2d" }),
      answer("approved"),
      answer("rejected"),
      answer("timeout"),
    ],
    edges: [
      { id: "e0", source: "start", target: "ask" },
      ...["approved", "rejected", "timeout"].map((handle) => ({
        id: handle,
        source: "ask",
        sourceHandle: handle,
        target: handle,
      })),
    ],
  });
});
afterAll(() => service.stop());

async function paused(): Promise<{ id: string; resumeUrl: string }> {
  const id = await service.begin("flow_ask", { payload: { data: { amount: 12 } } });
  const run = await service.untilStatus(id, "PAUSED");
  return { id, resumeUrl: run.pause.resumeUrl };
}

describe("an approval", () => {
  it("pauses the run without a slot and says what is asked", async () => {
    const { id } = await paused();
    const { body } = await service.get(`/api/runs/${id}`, service.key);
    expect(body.data.pause).toMatchObject({
      nodeId: "ask",
      kind: "approval",
      message: "Refund 12?",
      resumeUrl: expect.stringContaining(`/app/resume/${id}/`),
    });
    // The only slot is free for the next.
    const second = await paused();
    expect(second.id).not.toBe(id);
  });

  it("is answered with a key, and the flow goes on where the decision leads", async () => {
    const { id } = await paused();
    const answer = await service.resume(id, { decision: "approved", data: { note: "fine" } });
    expect(answer.status).toBe(200);
    expect(runResumedAnswer.parse(answer.body).data).toEqual({
      id,
      nodeId: "ask",
      nodeKey: "ask",
      decision: "approved",
      resumedAt: expect.any(String),
    });
    expect((await service.untilEnd(id)).output).toEqual({
      handle: "approved",
      answer: { decision: "approved", by: "rosa", data: { note: "fine" } },
    });
  });

  it("is answered by its link, once, without a key", async () => {
    const { id, resumeUrl } = await paused();
    const path = new URL(resumeUrl).pathname;
    // Opening the link changes nothing.
    expect((await service.get(path)).status).toBe(200);
    expect((await service.row(id))["status"]).toBe("PAUSED");
    const answer = await service.send("POST", path, { body: { decision: "rejected" } });
    expect(answer.status).toBe(200);
    expect((await service.untilEnd(id)).output).toMatchObject({ handle: "rejected", answer: { by: "link" } });
    const again = await service.send("POST", path, { body: { decision: "approved" } });
    expect([again.status, again.body.error]).toEqual([400, "Run cannot be resumed"]);
  });

  it("takes the first answer; every other one is 400", async () => {
    const { id } = await paused();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        service.resume(id, { decision: at % 2 === 0 ? "approved" : "rejected", data: { at } }),
      ),
    );
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    expect((await service.untilEnd(id)).output.handle).toBe(winners[0]!.body.data.decision);
    const late = await service.resume(id, { decision: "approved" });
    expect([late.status, late.body.code]).toEqual([400, "run_not_resumable"]);
  });

  it("goes the way of the timeout when nobody answers", async () => {
    const { id } = await paused();
    await service.database.pool.query(
      `UPDATE run_waits SET due_at = clock_timestamp() WHERE run_id = $1 AND due_at > clock_timestamp() + interval '1 day'`,
      [id],
    );
    expect((await service.untilEnd(id)).output).toMatchObject({
      handle: "timeout",
      answer: { decision: "timeout" },
    });
    expect((await service.resume(id, { decision: "approved" })).status).toBe(400);
  });

  it("is not for others: 404 for another organization, 403 for a viewer, 404 for a link that was changed", async () => {
    const { pool } = service.database;
    await addOrganization(pool, "org_far");
    await addUser(pool, "fei", { org_far: "owner" });
    await addUser(pool, "vi", { org_run: "viewer" });
    const foreign = await addKey(pool, { organizationId: "org_far", userId: "fei" });
    const viewer = await addKey(pool, { organizationId: "org_run", userId: "vi" });
    const { id, resumeUrl } = await paused();
    const other = await paused();
    expect((await service.resume(id, { decision: "approved" }, foreign.key)).status).toBe(404);
    expect((await service.resume(id, { decision: "approved" }, viewer.key)).status).toBe(403);
    const path = new URL(resumeUrl).pathname;
    const wrong = [
      `${path}x`,
      path.replace(id, other.id),
      `/app/resume/${id}/x`,
      `/app/resume/${id}/.`,
      `/app/resume/${id}/${"a".repeat(2_000)}`,
      path.replace(id, `run_${"z".repeat(24)}`),
      path.replace(id, "abc"),
      path.replace(id, withPrefix(id, "queue")),
    ];
    const answers = new Set<string>();
    for (const address of wrong) {
      const posted = await service.send("POST", address, { body: { decision: "approved" } });
      const opened = await service.get(address);
      for (const { status, body } of [posted, opened]) answers.add(JSON.stringify({ status, body }));
    }
    // Nothing tells one wrong link from another.
    expect([...answers].map((text) => JSON.parse(text))).toMatchObject([
      { status: 404, body: { code: "link_not_found" } },
    ]);
    expect((await service.row(id))["status"]).toBe("PAUSED");
  });

  it("is 400 for an answer that is none, an unknown node, and a run that waits for nothing", async () => {
    const { id } = await paused();
    const odd = await service.resume(id, { decision: "maybe", data: 7 });
    expect(odd.body.issues.map(({ path }: { path: string[] }) => path[0]).toSorted()).toEqual([
      "data",
      "decision",
    ]);
    expect((await service.resume(id, { decision: "approved", nodeId: "other" })).status).toBe(400);
    expect((await service.resume("abc", { decision: "approved" })).status).toBe(400);
    expect((await service.resume(`run_${"z".repeat(24)}`, { decision: "approved" })).status).toBe(404);
    expect((await service.row(id))["status"]).toBe("PAUSED");
  });
});
