import { runsQuery } from "@millrace/contract/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addRun } from "../support/runs.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addAgent, addFlow, addTwoOrganizations } from "../support/workspace.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;

beforeAll(async () => {
  service = await startTestService({}, { role: "api" });
  const db = service.database.pool;
  keys = await addTwoOrganizations(db);
  for (const name of ["a", "b"]) {
    await addFlow(db, "org_one", `flow_${name}`);
    await addAgent(db, "org_one", `agent_${name}`);
    await addRun(db, { flowId: "flow_one", status: "COMPLETED" });
    await addRun(db, { flowId: "flow_a", status: "COMPLETED" });
    await addRun(db, { flowId: "flow_one", stage: "queued", status: "WAITING", answeredQueued: true });
  }
});
afterAll(() => service.stop());

describe("a parameter that an endpoint does not know", () => {
  it.each([
    ["/api/runs?page[sise]=1", "page[sise]", 'did you mean "page[size]"?'],
    ["/api/runs?pageSize=1", "pageSize", 'did you mean "page[size]"?'],
    ["/api/runs?status=FAILED", "status", 'did you mean "filter[status]"?'],
    [
      "/api/runs?filter[createdat][from]=2020-01-01",
      "filter[createdat][from]",
      'did you mean "filter[createdAt][from]"?',
    ],
    ["/api/runs?filter[flowID]=flow_one", "filter[flowID]", 'did you mean "filter[flowId]"?'],
    ["/api/flows/flow_one/runs?filter[version]=1", "filter[version]", "known are page[size]"],
    ["/api/flows?organisationId=org_one", "organisationId", 'did you mean "organizationId"?'],
    ["/api/agents?colour=red", "colour", "known are organizationId"],
    ["/api/agents/agent_one?organization=org_one", "organization", 'did you mean "organizationId"?'],
    [
      "/api/runs/queue?filter[organizationId]=org_one&organizationId=org_one",
      "organizationId",
      'did you mean "filter[organizationId]"?',
    ],
    ["/api/runs/run_x?x=1", "x", "takes no query parameters"],
    ["/api/runs/run_x/nodes?x=1", "x", "takes no query parameters"],
    ["/api/runs/run_x/stream?includes=nodes", "includes", 'did you mean "include"?'],
    ["/api/flows/flow_one?__proto__=1", "__proto__", "takes no query parameters"],
    ["/api/auth/validate?x", "x", "takes no query parameters"],
  ])("is a 400 that names the nearest: %s", async (path, name, text) => {
    const { status, body } = await service.get(path, keys.one);
    expect([status, body.code]).toEqual([400, "invalid_query"]);
    expect(body.issues).toContainEqual({ path: [name], message: expect.stringContaining(text) });
  });

  it("is a 400 for every method, beside the other faults", async () => {
    const posted = await service.send("POST", "/api/runs?wiat=1s", {
      key: keys.one,
      body: { payload: { flowId: "flow_one" } },
    });
    expect([posted.status, posted.body.code]).toEqual([400, "invalid_query"]);
    const removed = await service.send("DELETE", "/api/runs/queue/queue_x?org=1", { key: keys.one });
    expect(removed.body.issues.map(({ path }: { path: string[] }) => path[0])).toEqual([
      "org",
      "filter[organizationId]",
    ]);
  });

  it("is taken where the parameters belong to somebody else", async () => {
    expect((await service.get("/healthz?cache=off")).status).toBe(200);
    expect((await service.get("/docs?utm_source=mail")).status).toBe(200);
  });
});

describe("a cursor", () => {
  const lists = [
    "/api/runs?",
    "/api/flows/flow_one/runs?",
    "/api/flows/flow_a/runs?",
    "/api/flows?",
    "/api/agents?",
    "/api/runs/queue?filter[organizationId]=org_one&",
  ];

  it("is good for the list that gave it and a 400 on every other", async () => {
    const cursors: string[] = [];
    for (const list of lists) {
      const { body } = await service.get(`${list}page[size]=1`, keys.one);
      cursors.push((body.pagination ?? body.data.pagination).next);
    }
    for (const [from, cursor] of cursors.entries()) {
      for (const [at, list] of lists.entries()) {
        for (const parameter of ["page[after]", "page[before]"]) {
          const { status, body } = await service.get(`${list}${parameter}=${cursor}`, keys.one);
          expect(status, `${lists[from]} on ${list}`).toBe(from === at ? 200 : 400);
          if (from !== at)
            expect(body.issues).toEqual([{ path: [parameter], message: "is not a cursor of this list" }]);
        }
      }
    }
  });
});

describe("a moment", () => {
  const instant = "2020-02-29T12:30:00.000Z";
  it.each([
    ["2020-02-29T12:30Z", instant],
    ["2020-02-29T12:30:00Z", instant],
    ["2020-02-29T12:30:00.000Z", instant],
    ["2020-02-29T12:30:00,0Z", instant],
    ["2020-02-29T12:30:00.000000000Z", instant],
    ["2020-02-29t12:30z", instant],
    ["2020-02-29T12:30", instant],
    ["2020-02-29T12,5Z", instant],
    ["2020-02-29T14:30%2B02:00", instant],
    ["2020-02-29T14:30+02:00", instant],
    ["2020-02-29T14:30:00%2B0200", instant],
    ["2020-02-29T14:30:00%2B02", instant],
    ["2020-02-29T07:00-05:30", instant],
    ["20200229T123000Z", instant],
    ["20200229T1230Z", instant],
    ["2020-W09-6T12:30Z", instant],
    ["2020W096T1230Z", instant],
    ["2020-060T12:30Z", instant],
    ["2020-02-29", "2020-02-29T00:00:00.000Z"],
    ["20200229", "2020-02-29T00:00:00.000Z"],
    ["2020-02", "2020-02-01T00:00:00.000Z"],
    ["2020", "2020-01-01T00:00:00.000Z"],
    ["2020-W01", "2019-12-30T00:00:00.000Z"],
    ["2020-12-31T24:00Z", "2021-01-01T00:00:00.000Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ])("may have any form of ISO 8601: %s", async (text, meant) => {
    const decoded = new URLSearchParams(`from=${text}`).get("from");
    const { "filter[createdAt][from]": from } = runsQuery.parse({ "filter[createdAt][from]": decoded });
    expect(from?.toISOString()).toBe(meant);
    expect((await service.get(`/api/runs?filter[createdAt][to]=${text}`, keys.one)).body.data.data).toEqual(
      [],
    );
  });

  it.each([
    "",
    "yesterday",
    "2020-13-01",
    "2021-02-29",
    "2020-02-30",
    "2020-1-1",
    "2020-366T",
    "2021-366",
    "2020-000",
    "2020-W54",
    "2021-W53",
    "2020-W10-8",
    "2020-01-01T25:00Z",
    "2020-01-01T24:01Z",
    "2020-01-01T10:60Z",
    "2020-01-01T10:00%2B24:00",
    "1577836800",
    "2020-01-01Z",
    "2020-01-01T",
  ])("that is none is a 400: %s", async (text) => {
    const { status, body } = await service.get(`/api/runs?filter[createdAt][from]=${text}`, keys.one);
    expect([status, body.issues]).toEqual([
      400,
      [{ path: ["filter[createdAt][from]"], message: "must be an ISO 8601 date or time" }],
    ]);
  });
});

it("OpenAPI gives each parameter the type that it stands for", async () => {
  const { body } = await service.get("/openapi.json");
  for (const path of [
    "/api/runs",
    "/api/flows/{flowId}/runs",
    "/api/flows",
    "/api/agents",
    "/api/runs/queue",
  ]) {
    const types = Object.fromEntries(
      body.paths[path].get.parameters.map(({ name, schema }: { name: string; schema?: { type: string } }) => [
        name,
        schema?.type,
      ]),
    );
    expect(types["page[size]"]).toBe("number");
    if (path.endsWith("/runs")) expect(types["filter[isTest]"]).toBe("boolean");
  }
});
