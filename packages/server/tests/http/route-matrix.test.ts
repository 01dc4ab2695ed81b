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
type Expected = Partial<Record<Caller, number>>;
interface Row {
  readonly route: string;
  readonly path: string;
  readonly body?: object | undefined;
  /** Where it differs from the usual answers. */
  readonly expected: Expected;
}

/** The same on every route: who is not known gets 401, who is shut out 403. */
const usual: Expected = {
  none: 401,
  bad: 401,
  expired: 401,
  revoked: 401,
  suspended: 403,
  disabled: 403,
};

/** Of a run of org_one that was queued, dispatched and has ended. */
const SUFFIX = "0123456789abcdefghijKLMN";

/** What an address can name, all of it org_one's. */
const ids: Readonly<Record<string, string>> = {
  flowId: "flow_one",
  agentId: "agent_one",
  sessionId: `session_${SUFFIX}`,
  runId: `run_${SUFFIX}`,
  otherRunId: `run_${SUFFIX}`,
  queueId: `queue_${SUFFIX}`,
  jobId: `job_${SUFFIX}`,
};

/** Of whoever may use the route: the same answer to all of them, unless said otherwise. */
const everybody: Expected = { one: 200, two: 200, viewer: 200, user: 200 };
const ofOne: Expected = { ...everybody, two: 403 };
/** Nobody else learns that there is such a thing. */
const unseen: Expected = { ...everybody, two: 404 };
const change: Expected = { ...unseen, viewer: 403 };
/** Refused for the state that the run is in, or for want of an organization. */
const inVain: Expected = { ...change, one: 400, user: 400 };

function row(
  route: string,
  expected: Expected,
  { query = "", body }: { readonly query?: string; readonly body?: object } = {},
): Row {
  const path = route.split(" ")[1]!.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
  return { route, path: path + query, body, expected };
}

const rows: Row[] = [
  row("GET /api/auth/validate", everybody),
  row("GET /api/flows", everybody),
  row("GET /api/flows", ofOne, { query: "?organizationId=org_one" }),
  row("GET /api/flows/{flowId}", ofOne),
  row("GET /api/agents", everybody),
  row("GET /api/agents", ofOne, { query: "?organizationId=org_one" }),
  row("GET /api/agents/{agentId}", ofOne),
  row("POST /api/agents/{agentId}/sessions", { ...ofOne, viewer: 403, user: 400 }, { body: {} }),
  row(
    "POST /api/agents/{agentId}/sessions/{sessionId}/messages",
    { ...ofOne, viewer: 403 },
    { body: { message: "Hello", organizationId: "org_one" } },
  ),
  row(
    "GET /api/agents/{agentId}/sessions/{sessionId}/stream",
    { one: 204, two: 403, viewer: 204, user: 204 },
    { query: "?organizationId=org_one&lastEventId=9999" },
  ),
  row("POST /mcp", everybody, { body: { jsonrpc: "2.0", id: 1, method: "ping" } }),
  row("GET /mcp", { one: 405, two: 405, viewer: 405, user: 405 }),
  row("POST /v1/chat/completions", change, {
    body: { model: "agent_one", messages: [{ role: "user", content: "Hello" }] },
  }),
  row("GET /v1/models", everybody),
  row("GET /v1/models/{agentId}", unseen),
  row("POST /api/runs", { ...inVain, one: 201 }, { body: { payload: { flowId: "flow_one" } } }),
  row(
    "POST /api/runs",
    { ...change, one: 201, user: 201 },
    { body: { payload: { flowId: "flow_one", organizationId: "org_one" } } },
  ),
  row("POST /api/runs/{runId}/cancel", inVain),
  row("POST /api/runs/{runId}/fork", { ...change, one: 201, user: 201 }, { body: {} }),
  row("POST /api/runs/{runId}/resume", inVain, { body: { decision: "approved" } }),
  row("DELETE /api/runs/queue/{queueId}", inVain, { query: "?filter[organizationId]=org_one" }),
  row("GET /api/runs", everybody),
  row("GET /api/runs", ofOne, { query: "?filter[organizationId]=org_one" }),
  row("GET /api/flows/{flowId}/runs", ofOne),
  row("GET /api/runs/{runId}", unseen),
  row("GET /api/runs/{runId}/why", unseen),
  row("GET /api/runs/{runId}/nodes", unseen),
  row("GET /api/runs/{runId}/compare/{otherRunId}", unseen),
  row("GET /api/runs/{runId}/stream", unseen),
  row("GET /api/runs/queue", ofOne, { query: "?filter[organizationId]=org_one" }),
  row("GET /api/runs/queue/{queueId}", unseen, { query: "?filter[organizationId]=org_one" }),
  row(
    "POST /manage/jobs",
    { one: 202, two: 403, viewer: 403, user: 202 },
    { body: { action: "retry", filter: { tag: ["nobody"] }, organizationId: "org_one" } },
  ),
  row("GET /manage/jobs", ofOne, { query: "?organizationId=org_one" }),
  row("GET /manage/jobs/{jobId}", unseen),
  row("GET /manage/jobs/{jobId}/runs", unseen),
  row("POST /manage/jobs/{jobId}/stop", change),
  row("POST /manage/jobs/{jobId}/resume", change),
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
