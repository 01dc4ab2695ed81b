import { afterAll, beforeAll, expect, it } from "vitest";
import { addRun } from "../support/runs.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

/**
 * Every route with a key, and what each kind of caller gets from it. A route without a row here fails the
 * last test: nobody can add an endpoint without saying who may use it.
 */
type Keys = Awaited<ReturnType<typeof addTwoOrganizations>>;
type Caller = "none" | "bad" | Exclude<keyof Keys, never>;
interface Row {
  readonly route: string;
  readonly path: string;
  readonly body?: object;
  /** Where it differs from the usual answers. */
  readonly expected: Partial<Record<Caller, number>>;
}

/** The same on every route: who is not known gets 401, who is shut out 403. */
const usual: Partial<Record<Caller, number>> = {
  none: 401,
  bad: 401,
  expired: 401,
  revoked: 401,
  suspended: 403,
  disabled: 403,
};

/** Of a run of org_one that was queued, dispatched and has ended. */
const SUFFIX = "0123456789abcdefghijKLMN";

const rows: Row[] = [
  {
    route: "GET /api/auth/validate",
    path: "/api/auth/validate",
    expected: { one: 200, two: 200, viewer: 200, user: 200 },
  },
  { route: "GET /api/flows", path: "/api/flows", expected: { one: 200, two: 200, viewer: 200, user: 200 } },
  {
    route: "GET /api/flows",
    path: "/api/flows?organizationId=org_one",
    expected: { one: 200, two: 403, viewer: 200, user: 200 },
  },
  {
    route: "GET /api/flows/{flowId}",
    path: "/api/flows/flow_one",
    expected: { one: 200, two: 403, viewer: 200, user: 200 },
  },
  { route: "GET /api/agents", path: "/api/agents", expected: { one: 200, two: 200, viewer: 200, user: 200 } },
  {
    route: "GET /api/agents",
    path: "/api/agents?organizationId=org_one",
    expected: { one: 200, two: 403, viewer: 200, user: 200 },
  },
  {
    route: "GET /api/agents/{agentId}",
    path: "/api/agents/agent_one",
    expected: { one: 200, two: 403, viewer: 200, user: 200 },
  },
  {
    route: "POST /api/agents/{agentId}/sessions",
    path: "/api/agents/agent_one/sessions",
    body: {},
    expected: { one: 200, two: 403, viewer: 403, user: 400 },
  },
  {
    route: "POST /api/agents/{agentId}/sessions/{sessionId}/messages",
    path: `/api/agents/agent_one/sessions/session_${SUFFIX}/messages`,
    body: { message: "Hello", organizationId: "org_one" },
    expected: { one: 200, two: 403, viewer: 403, user: 200 },
  },
  {
    route: "GET /api/agents/{agentId}/sessions/{sessionId}/stream",
    path: `/api/agents/agent_one/sessions/session_${SUFFIX}/stream?organizationId=org_one&lastEventId=9999`,
    expected: { one: 204, two: 403, viewer: 204, user: 204 },
  },
  {
    route: "POST /api/runs",
    path: "/api/runs",
    body: { payload: { flowId: "flow_one" } },
    expected: { one: 201, two: 404, viewer: 403, user: 400 },
  },
  {
    route: "POST /api/runs",
    path: "/api/runs",
    body: { payload: { flowId: "flow_one", organizationId: "org_one" } },
    expected: { one: 201, two: 404, viewer: 403, user: 201 },
  },
  {
    route: "POST /api/runs/{runId}/cancel",
    path: `/api/runs/run_${SUFFIX}/cancel`,
    expected: { one: 400, two: 404, viewer: 403, user: 400 },
  },
  {
    route: "POST /api/runs/{runId}/fork",
    path: `/api/runs/run_${SUFFIX}/fork`,
    body: {},
    expected: { one: 201, two: 404, viewer: 403, user: 201 },
  },
  {
    route: "POST /api/runs/{runId}/resume",
    path: `/api/runs/run_${SUFFIX}/resume`,
    body: { decision: "approved" },
    expected: { one: 400, two: 404, viewer: 403, user: 400 },
  },
  {
    route: "DELETE /api/runs/queue/{queueId}",
    path: `/api/runs/queue/queue_${SUFFIX}?filter[organizationId]=org_one`,
    expected: { one: 400, two: 404, viewer: 403, user: 400 },
  },
  { route: "GET /api/runs", path: "/api/runs", expected: { one: 200, two: 200, viewer: 200, user: 200 } },
  {
    route: "GET /api/runs",
    path: "/api/runs?filter[organizationId]=org_one",
    expected: { one: 200, two: 403, viewer: 200, user: 200 },
  },
  {
    route: "GET /api/flows/{flowId}/runs",
    path: "/api/flows/flow_one/runs",
    expected: { one: 200, two: 403, viewer: 200, user: 200 },
  },
  {
    route: "GET /api/runs/{runId}",
    path: `/api/runs/run_${SUFFIX}`,
    expected: { one: 200, two: 404, viewer: 200, user: 200 },
  },
  {
    route: "GET /api/runs/{runId}/why",
    path: `/api/runs/run_${SUFFIX}/why`,
    expected: { one: 200, two: 404, viewer: 200, user: 200 },
  },
  {
    route: "GET /api/runs/{runId}/nodes",
    path: `/api/runs/run_${SUFFIX}/nodes`,
    expected: { one: 200, two: 404, viewer: 200, user: 200 },
  },
  {
    route: "GET /api/runs/{runId}/compare/{otherRunId}",
    path: `/api/runs/run_${SUFFIX}/compare/run_${SUFFIX}`,
    expected: { one: 200, two: 404, viewer: 200, user: 200 },
  },
  {
    route: "GET /api/runs/{runId}/stream",
    path: `/api/runs/run_${SUFFIX}/stream`,
    expected: { one: 200, two: 404, viewer: 200, user: 200 },
  },
  {
    route: "GET /api/runs/queue",
    path: "/api/runs/queue?filter[organizationId]=org_one",
    expected: { one: 200, two: 403, viewer: 200, user: 200 },
  },
  {
    route: "GET /api/runs/queue/{queueId}",
    path: `/api/runs/queue/queue_${SUFFIX}?filter[organizationId]=org_one`,
    expected: { one: 200, two: 404, viewer: 200, user: 200 },
  },
  {
    route: "POST /manage/jobs",
    path: "/manage/jobs",
    body: { action: "retry", filter: { tag: ["nobody"] }, organizationId: "org_one" },
    expected: { one: 202, two: 403, viewer: 403, user: 202 },
  },
  {
    route: "GET /manage/jobs",
    path: "/manage/jobs?organizationId=org_one",
    expected: { one: 200, two: 403, viewer: 200, user: 200 },
  },
  {
    route: "GET /manage/jobs/{jobId}",
    path: `/manage/jobs/job_${SUFFIX}`,
    expected: { one: 200, two: 404, viewer: 200, user: 200 },
  },
  {
    route: "GET /manage/jobs/{jobId}/runs",
    path: `/manage/jobs/job_${SUFFIX}/runs`,
    expected: { one: 200, two: 404, viewer: 200, user: 200 },
  },
  {
    route: "POST /manage/jobs/{jobId}/stop",
    path: `/manage/jobs/job_${SUFFIX}/stop`,
    expected: { one: 200, two: 404, viewer: 403, user: 200 },
  },
  {
    route: "POST /manage/jobs/{jobId}/resume",
    path: `/manage/jobs/job_${SUFFIX}/resume`,
    expected: { one: 200, two: 404, viewer: 403, user: 200 },
  },
];

let service: TestService;
let keys: Keys;
beforeAll(async () => {
  service = await startTestService();
  keys = await addTwoOrganizations(service.database.pool);
  await service.database.pool.query(
    `INSERT INTO jobs (organization_id, id, action, status, filter, created_by, created_at, updated_at) VALUES ('org_one', $1, 'retry', 'stopped', '{}', 'ada', now(), now())`,
    [`job_${SUFFIX}`],
  );
  await service.database.pool.query(
    `INSERT INTO agent_sessions (organization_id, id, agent_id, external_id) VALUES ('org_one', $1, 'agent_one', 'chat_x')`,
    [`session_${SUFFIX}`],
  );
  await addRun(service.database.pool, { id: `run_${SUFFIX}`, status: "COMPLETED", answeredQueued: true });
});
afterAll(() => service.stop());

const cases = rows.flatMap((row) =>
  Object.entries({ ...usual, ...row.expected }).map(([caller, status]) => ({
    row,
    caller: caller as Caller,
    status,
  })),
);

it.each(cases)("$row.route ($row.path) answers $status to: $caller", async ({ row, caller, status }) => {
  const key = caller === "none" ? undefined : caller === "bad" ? `mr_org_${"A".repeat(38)}` : keys[caller];
  const method = row.route.split(" ")[0]!;
  const answer = await service.send(method, row.path, { key, body: row.body });
  expect(answer.status).toBe(status);
});

it("has a row for every route that takes a key and names no role; the others are in tests/manage/matrix", async () => {
  const { body } = await service.get("/openapi.json");
  const keyed = Object.entries(
    body.paths as Record<string, Record<string, { security: object[]; "x-required-role"?: string }>>,
  ).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.security.length > 0 && !operation["x-required-role"])
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  expect(keyed.filter((route) => !rows.some((row) => row.route === route))).toEqual([]);
});
