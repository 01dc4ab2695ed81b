import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "../../src/domain/role.ts";
import { addRun } from "../support/runs.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addKey, addTwoOrganizations, addUser } from "../support/workspace.ts";

/**
 * Every route that names a role, taken from the document the service itself gives: who is refused, by role and by
 * organization. A new route is covered the moment it exists; where it takes a body, a row in `bodies` makes it do its work.
 */
interface Operation {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly role: string;
}

const SUFFIX = "0123456789abcdefghijKLMN";

/** Parameters of org_one, as good as any. */
const parameters: Readonly<Record<string, string>> = {
  runId: `run_${SUFFIX}`,
  flowId: "flow_one",
  keyId: `key_${SUFFIX}`,
  userId: "mia",
  organizationId: "org_one",
  credentialId: "cred_one",
  endpointId: "hooks_one",
  sessionId: `session_${SUFFIX}`,
  agentId: "agent_one",
  version: "20260101.1",
  other: "20260101.1",
};

/** What a route that takes a body is sent; without a row an empty one. */
const bodies: Readonly<Record<string, object>> = {
  "POST /manage/keys": { name: "matrix", organizationId: "org_one" },
  "POST /manage/members": { organizationId: "org_one", userId: "new", email: "new@example.com", name: "New" },
  "PATCH /manage/members/{userId}": { organizationId: "org_one", role: "viewer" },
  "PATCH /manage/organizations/{organizationId}": { values: "hidden" },
  "PUT /manage/credentials/{credentialId}": {
    organizationId: "org_one",
    type: "http-bearer",
    allowedHosts: ["api.example.com"],
    secret: { token: "s3cret" },
  },
  "PUT /manage/variables": { organizationId: "org_one", values: {}, version: 0 },
  "POST /manage/flows": { organizationId: "org_one", name: "Matrix" },
  "PUT /manage/flows/{flowId}/tests/{testId}": {
    document: { kind: "FlowTest", id: "testId_one", flowId: "flow_one", name: "Matrix", expect: {} },
  },
  "POST /manage/credits/entries": { organizationId: "org_one", amount: 5 },
  "PUT /manage/event-endpoints/{endpointId}": {
    organizationId: "org_one",
    url: "http://127.0.0.1:9/",
    events: ["*"],
  },
  "POST /manage/event-endpoints/{endpointId}/deliveries/resend": { since: "2026-01-01T00:00:00Z" },
};

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let operations: readonly Operation[];
const byRole: Record<string, string> = {};
const byKeyRole: Record<string, string> = {};
let mixed: string;

beforeAll(async () => {
  service = await startTestService();
  const { pool } = service.database;
  keys = await addTwoOrganizations(pool);
  await addRun(pool, { id: parameters["runId"]!, status: "COMPLETED" });
  await pool.query(
    `INSERT INTO credentials (organization_id, id, type, ciphertext, fingerprint) VALUES ('org_one', 'cred_one', 'http-bearer', '', '')`,
  );
  await pool.query(
    `INSERT INTO event_endpoints (organization_id, id, url, events, secret_ciphertext) VALUES ('org_one', 'hooks_one', 'http://127.0.0.1:9/', '{*}', '')`,
  );
  for (const role of roles) {
    await addUser(pool, `is_${role}`, { org_one: role });
    byRole[role] = (await addKey(pool, { organizationId: "org_one", userId: `is_${role}` })).key;
    byKeyRole[role] = (await addKey(pool, { organizationId: "org_one", userId: "ada", role })).key;
  }
  await addUser(pool, "mia", { org_one: "member" });
  await addUser(pool, "mixed", { org_one: "viewer", org_two: "owner" });
  mixed = (await addKey(pool, { scope: "user", userId: "mixed" })).key;
  operations = await readOperations();
});
afterAll(() => service.stop());

async function readOperations(): Promise<Operation[]> {
  const { body } = await service.get("/openapi.json");
  const paths = body.paths as Record<string, Record<string, { "x-required-role"?: string }>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([name, { "x-required-role": role }]) => {
      const method = name.toUpperCase();
      return role === undefined ? [] : [{ route: `${method} ${path}`, method, path, role }];
    }),
  );
}

function address({ path }: Operation, query = ""): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => parameters[name] ?? `${name}_one`) + query;
}

async function ask(operation: Operation, key: string | undefined, query = "") {
  const stop = new AbortController();
  const isRead = operation.method === "GET" || operation.method === "DELETE";
  const body = isRead ? undefined : (bodies[operation.route] ?? {});
  try {
    const answer = await fetch(service.address + address(operation, query), {
      method: operation.method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: stop.signal,
    });
    const isJson = answer.headers.get("content-type")?.includes("json");
    return { status: answer.status, body: isJson ? ((await answer.json()) as Record<string, unknown>) : {} };
  } finally {
    // Streams never end by themselves.
    stop.abort();
  }
}

describe("every route that names a role", () => {
  it("is under /manage or /api, and there are some", () => {
    expect(operations.length).toBeGreaterThan(0);
    for (const { path } of operations) expect(path).toMatch(/^\/(manage|api)\//);
  });

  it("refuses who is not known, and who is shut out", async () => {
    for (const operation of operations) {
      const of = async (key: string | undefined) => (await ask(operation, key)).status;
      expect([operation.route, await of(undefined)]).toEqual([operation.route, 401]);
      expect([operation.route, await of(`mr_org_${"A".repeat(38)}`)]).toEqual([operation.route, 401]);
      for (const name of ["expired", "revoked"] as const)
        expect([operation.route, name, await of(keys[name])]).toEqual([operation.route, name, 401]);
      for (const name of ["suspended", "disabled"] as const)
        expect([operation.route, name, await of(keys[name])]).toEqual([operation.route, name, 403]);
    }
  });

  it("refuses a lesser role with 403 and the name of the one it needs, of the user and of the key", async () => {
    for (const operation of operations) {
      for (const holders of [byRole, byKeyRole]) {
        for (const role of roles.slice(0, roles.indexOf(operation.role as "viewer"))) {
          const { status, body } = await ask(operation, holders[role]);
          expect([operation.route, role, status]).toEqual([operation.route, role, 403]);
          expect(body).toMatchObject({
            code: "access_denied",
            messageParams: { requiredRole: operation.role },
          });
          expect(body["message"]).toContain(operation.role);
        }
      }
    }
  });

  it("lets the role it names in, to whatever the rest of the request deserves", async () => {
    for (const operation of operations) {
      const { status, body } = await ask(operation, byRole[operation.role]);
      expect([operation.route, status, body["code"]]).not.toEqual([operation.route, 403, "access_denied"]);
      expect([operation.route, status]).not.toEqual([operation.route, 401]);
      expect(status).toBeLessThan(500);
    }
  });

  it("knows no thing and no organization of somebody else", async () => {
    for (const operation of operations) {
      if (operation.path.includes("{")) {
        const { status } = await ask(operation, keys.two);
        expect([operation.route, status, status >= 400]).toEqual([operation.route, status, true]);
        expect([operation.route, status]).not.toEqual([operation.route, 500]);
      }
      const { status } = await ask(operation, keys.two, "?organizationId=org_one");
      expect([operation.route, status, status >= 400 && status < 500]).toEqual([
        operation.route,
        status,
        true,
      ]);
    }
  });

  it("asks for the role in the organization that is meant, not in another one of the same user", async () => {
    for (const operation of operations) {
      if (operation.role === "viewer") continue;
      const { status } = await ask(operation, mixed, "?organizationId=org_one");
      expect([operation.route, status, status >= 400 && status < 500]).toEqual([
        operation.route,
        status,
        true,
      ]);
    }
  });
});
