import { afterAll, beforeAll, expect, it } from "vitest";
import { addRun } from "../support/runs.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

const SECRET = "four-eyes-only";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let completed: string;
let failed: string;
beforeAll(async () => {
  service = await startTestService();
  const { pool } = service.database;
  keys = await addTwoOrganizations(pool);
  const node = {
    nodeKey: "fetch",
    nodeId: "fetch",
    type: "http-request",
    startedAt: 1,
    endedAt: 2,
    attempts: 1,
    input: { url: SECRET },
    output: { body: SECRET },
    log: [SECRET],
  };
  const values = { data: { name: SECRET }, nodes: [{ ...node, status: "COMPLETED" as const }] };
  completed = await addRun(pool, { status: "COMPLETED", output: { answer: SECRET }, ...values });
  const error = { name: "HttpError", message: SECRET, nodeId: "fetch" };
  failed = await addRun(pool, {
    status: "FAILED",
    error,
    ...values,
    nodes: [{ ...node, status: "FAILED" as const, error: { name: "HttpError", message: SECRET } }],
  });
  await pool.query(
    `INSERT INTO agent_sessions (organization_id, id, agent_id, external_id) VALUES ('org_one', $1, 'agent_one', 'chat_x')`,
    ["session_0123456789abcdefghijKLMN"],
  );
});
afterAll(() => service.stop());

const addresses = () =>
  [completed, failed].flatMap((id) => [
    `/api/runs/${id}`,
    `/api/runs/${id}/nodes`,
    `/api/runs/${id}/stream?include=nodes`,
    `/manage/runs/${id}/nodes`,
    `/manage/runs/${id}/nodes/fetch`,
    `/manage/runs/${id}/trigger`,
  ]);
const chat = "/api/agents/agent_one/sessions/session_0123456789abcdefghijKLMN/stream?lastEventId=0";
const textOf = async (path: string, key: string) => JSON.stringify((await service.get(path, key)).body);
const hide = (values: string) =>
  service.send("PATCH", "/manage/organizations/org_one", { key: keys.one, body: { values } });

it("a viewer sees values unless the organization hides them, then structure, times and statuses alone", async () => {
  expect(await textOf(`/api/runs/${completed}`, keys.viewer)).toContain(SECRET);
  expect((await hide("hidden")).body.data.values).toBe("hidden");
  // Known callers are trusted for four seconds.
  const since = performance.now();
  while ((await textOf(`/api/runs/${completed}`, keys.viewer)).includes(SECRET)) {
    if (performance.now() - since > 6_000) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  for (const address of addresses()) {
    const answer = await service.get(address, keys.viewer);
    expect([address, answer.status]).toEqual([address, 200]);
    expect([address, JSON.stringify(answer.body).includes(SECRET)]).toEqual([address, false]);
  }
  const { body } = await service.get(`/api/runs/${failed}`, keys.viewer);
  expect(body.data).toMatchObject({
    status: "FAILED",
    valuesHidden: true,
    error: { name: "HttpError", message: "", nodeId: "fetch" },
  });
  const nodes = await service.get(`/api/runs/${completed}/nodes`, keys.viewer);
  expect(nodes.body.data).toMatchObject([
    { nodeKey: "fetch", status: "COMPLETED", log: [], valuesHidden: true },
  ]);
  const followed = await service.get(chat, keys.viewer);
  expect([followed.status, followed.body.messageParams]).toEqual([403, { requiredRole: "member" }]);
  // Whoever may act sees them as before.
  expect(await textOf(`/api/runs/${completed}`, keys.one)).toContain(SECRET);
  expect((await service.get(chat, keys.one)).status).toBe(204);
});
