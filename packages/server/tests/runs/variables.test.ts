import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { addKey, addUser } from "../support/workspace.ts";

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService();
});
afterAll(() => service.stop());

const put = (values: object, version: number, key = service.key) =>
  service.send("PUT", "/manage/variables", { key, body: { values, version, note: "why" } });
const read = async (query = "") => (await service.get(`/manage/variables${query}`, service.key)).body.data;
const apply = (text: string, key = service.key) =>
  service.send("POST", "/manage/documents", { key, body: { files: [{ path: "a.yaml", text }] } });
const document = (id: string, graph: object) =>
  JSON.stringify({ kind: "Flow", id, organizationId: "org_run", name: id, graph });
const telling = (expression: string) =>
  chain(node("end", "return", { value: { text: `{{ ${expression} }}` } }));
const outputOf = async (flowId: string) => (await service.untilEnd(await service.begin(flowId))).output;

describe("variables of an organization", () => {
  it("are set on top of the version that was read, and every version is kept", async () => {
    expect(await read()).toEqual({ organizationId: "org_run", version: 0, values: {} });
    const first = await put({ region: "eu", limits: { z: 1, a: [true, null] } }, 0);
    expect([first.status, first.body.data]).toMatchObject([200, { version: 1, author: "rosa", note: "why" }]);
    const late = await put({ region: "us" }, 0);
    expect([late.status, late.body.code, late.body.data]).toEqual([409, "variables_changed", { version: 1 }]);
    expect((await put({ region: "us", limits: {} }, 1)).body.data.version).toBe(2);
    // What is the same is no new version.
    expect((await put({ region: "us", limits: {} }, 2)).body.data.version).toBe(2);
    expect((await read("?version=1")).values).toEqual({ region: "eu", limits: { z: 1, a: [true, null] } });
    expect((await service.get("/manage/variables?version=9", service.key)).status).toBe(404);
    const { data, pagination } = (await service.get("/manage/variables/versions?page[size]=1", service.key))
      .body.data;
    expect(data).toMatchObject([{ version: 2, active: true, names: ["region", "limits"] }]);
    const rest = await service.get(
      `/manage/variables/versions?page[size]=1&page[after]=${pagination.next}`,
      service.key,
    );
    expect(rest.body.data.data).toMatchObject([{ version: 1, active: false }]);
    const audit = (await service.get("/manage/audit?filter[action]=variables", service.key)).body.data.data;
    expect(audit[0]).toMatchObject({
      by: { userId: "rosa" },
      before: { version: 1, values: { region: "eu", limits: { z: 1, a: [true, null] } } },
      after: { version: 2, values: { region: "us", limits: {} } },
    });
  });

  it.each([
    ["a name that no expression could read", { "a-b": 1 }],
    ["too many", Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`v${index}`, 1]))],
    ["too much", { text: "x".repeat(70_000) }],
    ["what cannot be stored", { text: "a\u0000b" }],
  ])("are 400 for %s", async (_what, values) => {
    expect((await put(values, 2)).status).toBe(400);
    expect((await read()).version).toBe(2);
  });

  it("are read by expressions, in conditions and containers too", async () => {
    await apply(document("flow_vars", telling("vars.region")));
    expect(await outputOf("flow_vars")).toEqual({ text: "us" });
    const filtering = chain(
      node("pick", "filter", { items: ["eu", "us"], condition: "{{ item = vars.region }}" }),
      node("end", "return", { value: "{{ nodes.pick }}" }),
    );
    await apply(document("flow_filter", filtering));
    expect(JSON.stringify(await outputOf("flow_filter"))).toContain('["us"]');
    // Nobody who does not speak of them gets them.
    await apply(document("flow_all", chain(node("end", "return", { value: { names: "{{ $keys($) }}" } }))));
    expect((await outputOf("flow_all")).names).not.toContain("vars");
  });

  it("stay as they were for the life of a run, through pauses and whatever is set meanwhile", async () => {
    const asked = chain(
      node("ask", "approval", { message: "Go on in {{ vars.region }}?" }),
      node("end", "return", { value: { text: "{{ vars.region }}" } }),
    );
    const edges = asked.edges.map((edge) => ({
      ...edge,
      ...(edge.source === "ask" && { sourceHandle: "approved" }),
    }));
    expect((await apply(document("flow_ask", { ...asked, edges }))).status).toBe(200);
    const runId = await service.begin("flow_ask");
    await service.untilStatus(runId, "PAUSED");
    await put({ region: "jp" }, 2);
    expect(await outputOf("flow_vars")).toEqual({ text: "jp" });
    await service.resume(runId, { decision: "approved" });
    expect((await service.untilEnd(runId)).output).toEqual({ text: "us" });
    const seen = (await service.get(`/manage/runs/${runId}/trigger`, service.key)).body.data;
    expect(seen.variablesVersion).toBe(2);
    // A fork is a run of its own.
    const fork = await service.send("POST", `/api/runs/${runId}/fork`, {
      key: service.key,
      body: { from: "end" },
    });
    expect((await service.untilEnd(fork.body.data.id)).output).toEqual({ text: "jp" });
  });

  it("that do not exist are faults of what is applied, and refuse triggers of what is stored", async () => {
    const { status, body } = await apply(document("flow_typo", telling("vars.regoin")));
    expect([status, body.data.faults[0].message]).toEqual([
      400,
      expect.stringContaining('has no variable "regoin"; did you mean vars.region?'),
    ]);
    // In a value of somebody's own the word means something else.
    const own = chain(
      node("make", "set", { values: { rows: [{ vars: { any: 1 } }] } }),
      node("end", "return", { value: { text: "{{ nodes.make.rows.vars.any }}" } }),
    );
    expect((await apply(document("flow_own", own))).status).toBe(200);
    expect((await put({ other: 1 }, 3)).status).toBe(200);
    const answer = await service.send("POST", "/manage/flows/flow_vars/draft/validate", {
      key: service.key,
      body: {},
    });
    expect(answer.body.data.errors[0]).toContain('has no variable "region"');
  });

  it("can be set by an admin, with the document of the organization too, and by nobody less", async () => {
    const { pool } = service.database;
    const keyOf = async (role: "admin" | "member" | "viewer") => {
      await addUser(pool, `as_${role}`, { org_run: role });
      return (await addKey(pool, { organizationId: "org_run", userId: `as_${role}`, role })).key;
    };
    const admin = await keyOf("admin");
    const organization = (more: string) => `kind: Organization\nid: org_run\nname: org_run\n${more}`;
    const flow = `---\n${document("flow_new", telling("vars.fresh"))}\n`;
    const applied = await apply(`${organization("variables: { fresh: 7, region: eu }\n")}${flow}`, admin);
    expect([applied.status, applied.body.data.faults]).toEqual([200, []]);
    expect((await read()).values).toEqual({ fresh: 7, region: "eu" });
    expect(await outputOf("flow_new")).toEqual({ text: 7 });
    // Left out they stay, and the rest of the organization is the owner's.
    expect((await apply(organization(""), admin)).body.data.documents[0].action).toBe("unchanged");
    expect((await apply(organization("limits: { concurrency: 3 }\n"), admin)).status).toBe(400);
    expect((await service.get("/manage/documents", admin)).body).toContain(
      "variables:\n  fresh: 7\n  region: eu\n",
    );
    expect((await put({}, 5, await keyOf("member"))).status).toBe(403);
    const viewer = await keyOf("viewer");
    expect((await service.get("/manage/variables", viewer)).body.data.values).toEqual({
      fresh: 7,
      region: "eu",
    });
  });

  it("are what the example shows", async () => {
    const example = await readFile(
      new URL("../../../../examples/variables/variables.yaml", import.meta.url),
      "utf8",
    );
    const { status } = await apply(
      example.replaceAll("org_demo", "org_run").replace("name: Demo", "name: org_run"),
    );
    expect(status).toBe(200);
    const run = await service.begin("flow_limit", { payload: { trigger: { body: { total: 700 } } } });
    expect((await service.untilEnd(run)).output).toEqual({ text: "Orders above 500 are checked in eu" });
  });
});
