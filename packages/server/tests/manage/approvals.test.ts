import { approvalsAnswer, type ManagedApproval } from "@millrace/contract/manage/approvals";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { addKey, addUser } from "../support/workspace.ts";

const COUNT = 7;
const form = { type: "object", properties: { amount: { type: "integer" } } };

let service: RunTestService;
let owner: string;
let member: string;
let viewer: string;
beforeAll(async () => {
  service = await startRunService({ concurrency: 20 });
  const { pool } = service.database;
  ({ key: owner } = await addKey(pool, { organizationId: "org_run", userId: "rosa", role: "owner" }));
  for (const role of ["member", "viewer"] as const) await addUser(pool, role, { org_run: role });
  ({ key: member } = await addKey(pool, { organizationId: "org_run", userId: "member" }));
  ({ key: viewer } = await addKey(pool, { organizationId: "org_run", userId: "viewer", role: "viewer" }));
  await service.flow("flow_ask", chain(node("ask", "approval", { message: "Number {{ data.n }}?", form })));
  await service.flow(
    "flow_named",
    chain(node("ask", "approval", { message: "Only Rosa?", assignees: ["rosa"], timeout: "2d" })),
  );
  await service.flow("flow_rest", chain(node("rest", "wait", { duration: "2d" })));
  for (const flow of ["flow_rest", "flow_named"])
    await service.untilStatus(await service.begin(flow), "PAUSED");
  for (let n = 1; n <= COUNT; n += 1)
    await service.untilStatus(await service.begin("flow_ask", { payload: { data: { n } } }), "PAUSED");
});
afterAll(() => service.stop());

async function list(
  query = "",
  key = owner,
): Promise<{ data: ManagedApproval[]; pagination: { next?: string } }> {
  const { status, body } = await service.get(`/manage/approvals?page[size]=100${query}`, key);
  expect(status, JSON.stringify(body)).toBe(200);
  return approvalsAnswer.parse(body).data;
}

it("shows every open question, the newest first, and nothing else that runs wait for", async () => {
  const { data, pagination } = await list();
  expect(data.map(({ message }) => message)).toEqual([
    ...Array.from({ length: COUNT }, (_, at) => `Number ${COUNT - at}?`),
    "Only Rosa?",
  ]);
  expect(pagination).toEqual({});
  expect(data[0]).toMatchObject({ flowId: "flow_ask", nodeKey: "ask", form, mayAnswer: true });
  expect(data.at(-1)).toMatchObject({ assignees: ["rosa"], until: expect.any(String) });
});

it("goes on page by page without leaving one out or showing one twice", async () => {
  const seen: string[] = [];
  let after = "";
  for (let pages = 0; pages < 10; pages += 1) {
    const { body } = await service.get(`/manage/approvals?page[size]=3${after}`, owner);
    seen.push(...body.data.data.map(({ runId }: ManagedApproval) => runId));
    if (!body.data.pagination.next) break;
    after = `&page[after]=${body.data.pagination.next}`;
  }
  expect(seen).toEqual((await list()).data.map(({ runId }) => runId));
});

it("says who may answer, and hides questions from viewers where values are hidden", async () => {
  const mayAnswer = async (key: string) => (await list("", key)).data.map((one) => one.mayAnswer);
  expect(await mayAnswer(member)).toEqual([...Array.from({ length: COUNT }, () => true), false]);
  expect(new Set(await mayAnswer(viewer))).toEqual(new Set([false]));
  await service.send("PATCH", "/manage/organizations/org_run", { key: owner, body: { values: "hidden" } });
  await expect
    .poll(async () => (await list("", viewer)).data[0]!.valuesHidden, { timeout: 15_000 })
    .toBe(true);
  expect(JSON.stringify(await list("", viewer))).not.toMatch(/Number|amount/);
});

it("forgets a question that was answered or whose run was canceled", async () => {
  const [first, second] = (await list()).data;
  const answer = { decision: "approved", nodeId: "ask" };
  await service.send("POST", `/api/runs/${first!.runId}/resume`, { key: owner, body: answer });
  await service.send("POST", `/api/runs/${second!.runId}/cancel?paused=true`, { key: owner });
  const left = (await list()).data.map(({ runId }) => runId);
  expect(left).not.toContain(first!.runId);
  expect(left).not.toContain(second!.runId);
  expect(left.length).toBe(COUNT - 1);
});
