import { agentAnswer, agentsAnswer } from "@millrace/contract/agents";
import { validateAnswer } from "@millrace/contract/auth";
import { errorBody } from "@millrace/contract/envelope";
import { flowAnswer, flowsAnswer } from "@millrace/contract/flows";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { addAgent, addFlow, addTwoOrganizations } from "../support/workspace.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;

beforeAll(async () => {
  service = await startTestService();
  keys = await addTwoOrganizations(service.database.pool);
});
afterAll(() => service.stop());

describe("GET /api/auth/validate", () => {
  it("answers 200 with the user and the session of the key", async () => {
    const { status, body } = await service.get("/api/auth/validate", keys.one);
    expect(status).toBe(200);
    expect(validateAnswer.parse(body).data).toMatchObject({
      authenticated: true,
      user: { id: "ada", email: "ada@example.com", name: "Ada" },
      session: { activeOrganizationId: null, id: expect.stringMatching(/^api-key-key_/) },
    });
  });

  it.each(["Bearer", "bearer", "ApiKey", "APIKEY"])("takes the key as Authorization: %s", async (scheme) => {
    const { status } = await service.get("/api/auth/validate", undefined, {
      authorization: `${scheme} ${keys.one}`,
    });
    expect(status).toBe(200);
  });

  it("takes the key as X-API-Key, and the same key twice", async () => {
    const headers = { "x-api-key": keys.one };
    expect((await service.get("/api/auth/validate", undefined, headers)).status).toBe(200);
    expect((await service.get("/api/auth/validate", keys.one, headers)).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ["no key", {}],
    ["an empty key", { authorization: "Bearer " }],
    ["an unknown scheme", { authorization: "Basic abc" }],
    ["a key with a wrong checksum", { "x-api-key": `mr_org_${"A".repeat(38)}` }],
    ["a 10 KB key", { "x-api-key": "x".repeat(10_000) }],
    ["a key followed by something", { authorization: "Bearer abc def" }],
  ])("answers 401 to %s, with authenticated false", async (_, headers) => {
    const { status, body } = await service.get("/api/auth/validate", undefined, headers);
    expect(status).toBe(401);
    expect(errorBody.parse(body)).toEqual({
      success: false,
      error: "Unauthorized",
      message: "Authentication required",
      code: "unauthorized",
      data: { authenticated: false },
    });
  });

  it("answers 401 to expired and revoked keys and to two different keys", async () => {
    expect((await service.get("/api/auth/validate", keys.expired)).status).toBe(401);
    expect((await service.get("/api/auth/validate", keys.revoked)).status).toBe(401);
    expect((await service.get("/api/auth/validate", keys.one, { "x-api-key": keys.two })).status).toBe(401);
  });

  it("answers 403 to the key of a disabled user or a suspended organization", async () => {
    for (const key of [keys.disabled, keys.suspended]) {
      const { status, body } = await service.get("/api/auth/validate", key);
      expect(status).toBe(403);
      expect(errorBody.parse(body).data).toEqual({ authenticated: false });
    }
  });
});

describe("GET /api/flows", () => {
  it("lists the flows of the key's organization, without their graphs", async () => {
    const { status, body } = await service.get("/api/flows", keys.one);
    expect(status).toBe(200);
    expect(flowsAnswer.parse(body).data.map((flow) => flow.id)).toEqual(["flow_one"]);
  });

  it("lists the flows of every organization of a user key, or of the one asked for", async () => {
    const all = await service.get("/api/flows", keys.user);
    expect(all.body.data.map((flow: { id: string }) => flow.id)).toEqual(["flow_two", "flow_one"]);
    for (const query of ["organizationId=org_two", "filter[organizationId]=org_two"]) {
      const { body } = await service.get(`/api/flows?${query}`, keys.user);
      expect(body.data.map((flow: { id: string }) => flow.id)).toEqual(["flow_two"]);
    }
  });

  it("answers 403 for an organization the key does not reach", async () => {
    expect((await service.get("/api/flows?organizationId=org_two", keys.one)).status).toBe(403);
  });

  it("pages in both directions without losing or repeating a flow", async () => {
    for (let at = 0; at < 7; at++) await addFlow(service.database.pool, "org_two", `flow_page_${at}`);
    const seen: string[][] = [];
    let cursor = "";
    for (;;) {
      const { body } = await service.get(`/api/flows?page[size]=3${cursor}`, keys.two);
      seen.push(body.data.map((flow: { id: string }) => flow.id));
      if (!body.pagination?.next) break;
      cursor = `&page[after]=${body.pagination.next}`;
    }
    const backwards = await service.get(`/api/flows?page[size]=3${cursor}`, keys.two);
    expect(seen.flat()).toHaveLength(8);
    expect(new Set(seen.flat()).size).toBe(8);
    const before = await service.get(
      `/api/flows?page[size]=3&page[before]=${backwards.body.pagination.prev}`,
      keys.two,
    );
    expect(before.body.data.map((flow: { id: string }) => flow.id)).toEqual(seen[1]);
  });

  it.each([
    "page[size]=0",
    "page[size]=-1",
    "page[size]=abc",
    "page[size]=1.5",
    "page[after]=garbage",
    "page[size]=1&page[size]=2",
    "organizationId=a%00b",
  ])("answers 400 with issues to ?%s", async (query) => {
    const { status, body } = await service.get(`/api/flows?${query}`, keys.one);
    expect(status).toBe(400);
    expect(errorBody.parse(body).issues).not.toHaveLength(0);
  });

  it("clamps a page size over 100", async () => {
    expect((await service.get("/api/flows?page[size]=1000000000", keys.one)).status).toBe(200);
  });
});

describe("GET /api/flows/{flowId}", () => {
  it("answers 200 with the metadata", async () => {
    const { status, body } = await service.get("/api/flows/flow_one", keys.one);
    expect(status).toBe(200);
    expect(flowAnswer.parse(body).data).toMatchObject({
      id: "flow_one",
      organizationId: "org_one",
      active: true,
      slug: null,
    });
  });

  it("answers 400 to an id that cannot be one", async () => {
    for (const id of ["a%20b", "a".repeat(65), "%C3%BC", "flow'--"]) {
      const { status, body } = await service.get(`/api/flows/${id}`, keys.one);
      expect([id, status]).toEqual([id, 400]);
      expect(body.error).toBe("Invalid flow ID");
    }
  });

  it("answers 403 for another organization's flow", async () => {
    expect((await service.get("/api/flows/flow_two", keys.one)).status).toBe(403);
  });

  it("answers 404 for a flow that is missing or deleted", async () => {
    await addFlow(service.database.pool, "org_one", "flow_deleted");
    await service.database.pool.query(`UPDATE flows SET deleted_at = now() WHERE id = 'flow_deleted'`);
    for (const id of ["flow_missing", "flow_deleted"]) {
      const { status, body } = await service.get(`/api/flows/${id}`, keys.one);
      expect(status).toBe(404);
      expect(body).toMatchObject({
        error: "Flow not found",
        code: "flow_not_found",
        messageParams: { flowId: id },
      });
    }
  });
});

describe("GET /api/agents", () => {
  it("lists agents and gets one, never anything of their design", async () => {
    await addAgent(service.database.pool, "org_one", "agent_canary", {
      systemPrompt: "CANARY-PROMPT",
      provider: { baseUrl: "http://CANARY-URL" },
    });
    const list = await service.get("/api/agents", keys.one);
    expect(agentsAnswer.parse(list.body).data.map((agent) => agent.id)).toEqual([
      "agent_canary",
      "agent_one",
    ]);
    const one = await service.get("/api/agents/agent_canary", keys.one);
    expect(agentAnswer.parse(one.body).data.modelIds).toEqual(["small-1"]);
    expect(JSON.stringify([list.body, one.body])).not.toContain("CANARY");
  });

  it("answers 400, 403 and 404 as flows do", async () => {
    expect((await service.get("/api/agents/a%20b", keys.one)).body.error).toBe("Invalid agent ID");
    expect((await service.get("/api/agents/agent_two", keys.one)).status).toBe(403);
    expect((await service.get("/api/agents/agent_missing", keys.one)).status).toBe(404);
    expect((await service.get("/api/agents?organizationId=org_two", keys.one)).status).toBe(403);
  });
});

describe("every answer", () => {
  it("speaks the language of X-Locale and keeps the code", async () => {
    const german = await service.get("/api/flows/flow_missing", keys.one, { "x-locale": "de" });
    expect(german.body).toMatchObject({ error: "Ablauf nicht gefunden", code: "flow_not_found" });
    const unknown = await service.get("/api/flows/flow_missing", keys.one, { "x-locale": "xx" });
    expect(unknown.body.error).toBe("Flow not found");
  });

  it("carries X-Request-Id, also where nothing was found", async () => {
    for (const path of ["/api/flows", "/nowhere", "/healthz"]) {
      expect((await service.get(path, keys.one)).headers.get("x-request-id")).toMatch(/^req_/);
    }
  });

  it("is a 404 for an unknown address and a 405 for a wrong method", async () => {
    expect((await service.get("/api/nothing", keys.one)).body).toMatchObject({
      success: false,
      code: "route_not_found",
    });
    const wrong = await service.send("DELETE", "/api/flows", { key: keys.one });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, HEAD");
  });
});
