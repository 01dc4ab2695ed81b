import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliDependencies } from "../../src/cli/cli.ts";
import { flow } from "../apply/workspace.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

let service: TestService;
let terminal: Terminal;
let directory: string;
let admin: string;
beforeAll(async () => {
  service = await startTestService();
  const { pool } = service.database;
  await addOrganization(pool, "org_a");
  await addUser(pool, "ann", { org_a: "owner" });
  admin = (await addKey(pool, { organizationId: "org_a", userId: "ann", role: "admin" })).key;
  terminal = await createTerminal();
  await addOrganization(terminal.database.pool, "org_a");
  directory = await mkdtemp(join(tmpdir(), "millrace-deploy-"));
});
afterAll(async () => {
  await service.stop();
  await terminal.close();
  await rm(directory, { recursive: true });
});

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(directory, name), content);
  return join(directory, name);
}

/** Over HTTP to the service, where opening a database is a failure; or on the terminal's own database. */
const ways = {
  "over HTTP": (line: string, env: Record<string, string> = {}) =>
    terminal.run(line, { HOME: directory, MILLRACE_URL: service.address, MILLRACE_API_KEY: admin, ...env }, {
      withDatabase: () => Promise.reject(new Error("A database was opened.")),
    } as Partial<CliDependencies>),
  "on the database": (line: string, env: Record<string, string> = {}) =>
    terminal.run(line, { HOME: directory, ...env }),
};

describe.each(Object.entries(ways))("%s", (name, run) => {
  const json = async (line: string) => {
    const { code, stdout, stderr } = await run(`${line} --json`);
    expect([line, code, stderr]).toEqual([line, 0, ""]);
    return JSON.parse(stdout);
  };
  const text = async (line: string) => {
    const { code, stdout, stderr } = await run(line);
    expect([line, code, stderr]).toEqual([line, 0, ""]);
    return stdout;
  };

  it("a plan changes nothing, an apply does, and one on an outdated plan is refused", async () => {
    const path = await file(
      "a.yaml",
      flow("flow_a", { more: 'schedules: [{ id: nightly, cron: "0 3 * * *" }]' }),
    );
    const planned = await json(`plan ${path}`);
    expect(planned).toMatchObject({
      dryRun: true,
      faults: [],
      documents: [{ action: "created", id: "flow_a" }],
    });
    expect(await text("flows list --org org_a")).toBe("Nothing to show.");
    expect(await text(`plan ${path}`)).toContain(`--revision ${planned.revision}`);
    expect(await text(`apply ${path} --note first`)).toMatch(/created\s+Flow\s+flow_a\s+org_a\s+\d{8}\.1/);
    expect(await text(`apply ${path}`)).toMatch(/unchanged\s+Flow/);
    await file("a.yaml", flow("flow_a", { text: "two" }));
    const late = await run(`apply ${path} --revision ${planned.revision}`);
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("Somebody else has changed")]);
    expect(late.stdout).toMatch(/updated\s+Flow/);
    await text(`apply ${path} --note second`);
  });

  it("every fault is told with file, line and column, also of a plan", async () => {
    const bad = await file("bad.yaml", flow("flow_bad").replace("name:", "nmae:"));
    for (const verb of ["apply", "plan"]) {
      const { code, stderr } = await run(`${verb} ${bad}`);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${bad}:4:1 nmae: unknown key "nmae"`)]);
      const asJson = await run(`${verb} ${bad} --json`);
      expect(JSON.parse(asJson.stdout).faults[1]).toMatchObject({ file: bad, line: 4, column: 1 });
    }
    expect((await run(`apply ${join(directory, "none.yaml")}`)).stderr).toContain("no such file");
  });

  it("the variables that secrets ask for come from the environment of the command, and no others", async () => {
    const credential = (variable: string) =>
      `kind: Credential\nid: crm\norganizationId: org_a\ntype: http-bearer\nallowedHosts: [a.example]\nsecret: { token: { env: ${variable} } }\n`;
    const path = await file("credential.yaml", credential("CRM_TOKEN"));
    expect((await run(`apply ${path}`)).stderr).toContain("the variable CRM_TOKEN is not set");
    const applied = await run(`apply ${path}`, { CRM_TOKEN: "canary-77" });
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringMatching(/created\s+Credential\s+crm/)]);
    await file("credential.yaml", credential("MILLRACE_API_KEY"));
    expect((await run(`apply ${path}`)).stderr).toContain("a variable of the service itself");
    const exported = await text("export --org org_a");
    expect(exported).toContain("env: SECRET_CRM_TOKEN");
    expect(exported).not.toContain("canary-77");
  });

  it("versions are listed, compared, rolled back and published", async () => {
    const { data } = await json("flows versions flow_a");
    expect(data.map(({ active, note }: { active: boolean; note: string }) => [active, note])).toEqual([
      [true, "second"],
      [false, "first"],
    ]);
    const [second, first] = data.map(({ version }: { version: string }) => version);
    expect(await text("flows versions flow_a")).toMatch(/IN FORCE/);
    expect(await text(`flows diff flow_a ${first} ${second}`)).toContain('the input "value" changed from');
    expect(await text(`flows diff flow_a ${first} ${first}`)).toBe("They run alike.");
    expect(await text(`flows rollback flow_a ${first} --note back`)).toContain(`before: ${second}`);
    const unknown = await run("flows rollback flow_a 20200101.1");
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("millrace flows versions")]);
    await file("draft.yaml", flow("flow_a", { text: "three" }).replace("type: return", "type: retrun"));
    expect(await text(`apply ${join(directory, "draft.yaml")} --draft`)).toContain("kept as drafts");
    const refused = await run("flows publish flow_a");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("retrun")]);
    expect((await run("flows publish flow_a --revision 0")).code).toBe(1);
  });

  it("flows are switched and deleted, and schedules paused and resumed", async () => {
    await text(
      `apply ${await file("s.yaml", flow("flow_s", { more: 'schedules: [{ id: nightly, cron: "0 3 * * *" }]' }))}`,
    );
    expect(await json("schedules list --org org_a")).toMatchObject({
      data: [{ flowId: "flow_s", id: "nightly", state: "running", next: { length: 5 } }],
    });
    expect(await json("schedules pause flow_s nightly")).toMatchObject({ state: "paused", next: [] });
    expect(await text("schedules list --org org_a")).toMatch(
      /flow_s\s+nightly\s+0 3 \* \* \*\s+UTC\s+paused/,
    );
    expect(await text("schedules resume flow_s nightly")).toContain("nightly of flow_s is running; next: ");
    expect((await run("schedules pause flow_s weekly")).stderr).toContain("see: millrace schedules list");
    expect(await json("flows deactivate flow_s")).toEqual({ id: "flow_s", active: false });
    expect((await json("schedules list --org org_a")).data[0].state).toBe("flow-inactive");
    expect(await text("flows delete flow_s --dry-run")).toBe("1 schedule ends with it.");
    expect(await text("flows delete flow_s --yes")).toContain("flow_s is deleted.");
    expect((await run("flows delete flow_s --yes")).stderr).toContain("see: millrace flows list");
    expect((await json("flows list --org org_a")).data.map(({ id }: { id: string }) => id)).toEqual([
      "flow_a",
    ]);
  });

  it("people and agents are listed, and an export is written into a file", async () => {
    expect((await run("users list --org org_a")).code).toBe(0);
    expect(await text("agents list --org org_a")).toBe("Nothing to show.");
    const output = join(directory, "export.yaml");
    expect(await text(`export --org org_a --output ${output}`)).toContain(output);
    expect(await readFile(output, "utf8")).toContain("id: flow_a");
  });

  it("variables are set, listed and removed", async () => {
    expect(await text("variables list --org org_a")).toBe("Nothing to show.");
    expect(await json("variables set region eu --org org_a")).toMatchObject({
      version: 1,
      values: { region: "eu" },
    });
    expect(await text("variables set --help")).toContain("$ millrace variables set region=eu");
    await text('variables set limits={"order":5} query=a=b --org org_a --note why');
    expect(await text("variables list --org org_a")).toMatch(
      /limits\s+\{"order":5\}\n.*"a=b"\n[^]*Version 2\./,
    );
    for (const [wrong, fault] of [
      ["region", '"region" is not name=value.'],
      ["region=eu limits", '"limits" is not name=value.'],
      ["=eu", '"=eu" is not name=value.'],
      ["region eu west", '"region" is not name=value.'],
    ]) {
      const { code, stderr } = await run(`variables set ${wrong} --org org_a`);
      expect([code, stderr]).toEqual([2, expect.stringContaining(fault!)]);
    }
    expect(await json("variables list --org org_a --at 1")).toMatchObject({ values: { region: "eu" } });
    expect((await json("variables unset region --org org_a")).values).toEqual({
      limits: { order: 5 },
      query: "a=b",
    });
    expect((await run("variables unset region --org org_a")).stderr).toContain(
      "see: millrace variables list",
    );
    expect((await json("variables versions --org org_a")).data).toMatchObject([
      { version: 3, active: true, names: ["limits", "query"] },
      { version: 2, active: false, note: "why" },
      { version: 1 },
    ]);
  });

  it("every change has its entry, with who did it", async () => {
    const { pool } = name === "over HTTP" ? service.database : terminal.database;
    const { rows } = await pool.query(
      `SELECT action, via, user_id AS who FROM audit_entries WHERE organization_id = 'org_a' ORDER BY id`,
    );
    const who = name === "over HTTP" ? { via: "key", who: "ann" } : { via: "cli", who: null };
    expect(rows).toEqual(
      [
        "flow.create",
        "flow.update",
        "credential.create",
        "flow.rollback",
        "flow.update",
        "flow.create",
        "schedule.pause",
        "schedule.resume",
        "flow.deactivate",
        "flow.delete",
        "variables.update",
        "variables.update",
        "variables.update",
      ].map((action) => ({ action, ...who })),
    );
  });
});

describe("events over HTTP", () => {
  const run = ways["over HTTP"];

  it("are listed page by page, shown with their deliveries and sent again", async () => {
    const { pool } = service.database;
    await pool.query(
      `INSERT INTO event_endpoints (organization_id, id, url, events, secret_ciphertext, enabled) VALUES ('org_a', 'hooks', 'http://127.0.0.1:9/', '{*}', '', false)`,
    );
    const id = (index: number) => `evt_${"0".repeat(22)}${index}x`;
    for (let index = 1; index <= 3; index++)
      await pool.query(
        `INSERT INTO event_batches (organization_id, position, created_at, other_id, other_type, other_data)
         VALUES ('org_a', $1, millrace_now(), $2, $3, '{"agentId":"a"}')`,
        [1_000 + index, id(index), index === 2 ? "agent.message_failed" : "agent.session_created"],
      );
    const listed = JSON.parse((await run("events list --json")).stdout).data;
    expect(listed.map((event: { id: string }) => event.id)).toEqual([id(3), id(2), id(1)]);
    expect(
      JSON.parse((await run("events list --type agent.message_failed --json")).stdout).data,
    ).toMatchObject([{ id: id(2), organizationId: "org_a", runId: null }]);
    const first = await service.get("/manage/events?page[size]=2", admin);
    expect(first.body.data.data).toHaveLength(2);
    const rest = await service.get(
      `/manage/events?page[size]=2&page[after]=${first.body.data.pagination.next}`,
      admin,
    );
    expect(rest.body.data).toMatchObject({ data: [{ id: id(1) }], pagination: {} });
    expect((await run("events show evt_nothing")).stderr).toContain("evt_nothing");
    expect((await run("events replay --since 1h --json")).stdout).toBe('{"replayed":0}');
  });
});

describe("what can be seen of a service", () => {
  const run = ways["over HTTP"];

  it("is shown: values, counts, statistics, chats and processes", async () => {
    await run(`apply ${await file("see.yaml", flow("flow_see"))}`);
    const started = await service.send("POST", "/api/runs?wait=30s", {
      key: admin,
      body: { payload: { flowId: "flow_see", trigger: { body: { name: "Ada" } } } },
    });
    const { id } = started.body.data;
    const json = async (line: string, env = {}) => JSON.parse((await run(`${line} --json`, env)).stdout);
    expect(await json(`runs values ${id}`)).toMatchObject({ trigger: { body: { name: "Ada" } } });
    expect(await json(`runs values ${id} start`)).toMatchObject({ nodeKey: "start", status: "COMPLETED" });
    expect((await run(`runs values ${id} nowhere`)).code).toBe(1);
    expect((await json("runs counts --flow flow_see")).totals).toEqual({ COMPLETED: 1 });
    expect((await run("runs counts --minutes")).stdout).toMatch(/COMPLETED\s+\d+/);
    expect(await json("flows statistics flow_see")).toMatchObject({ flowId: "flow_see", runs: { ended: 1 } });
    expect((await run("flows statistics flow_see")).stdout).toContain("start (start)");
    const missing = await run("agents sessions agent_none");
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("(404)")]);
    const owner = (await addKey(service.database.pool, { organizationId: "org_a", userId: "ann" })).key;
    expect((await json("processes list", { MILLRACE_API_KEY: owner })).data).toMatchObject([{ alive: true }]);
    expect((await run("processes list")).stderr).toContain("owner");
  });
});

describe("which service it is", () => {
  const none = {
    withDatabase: () => Promise.reject(new Error("A database was opened.")),
    isDatabaseMeant: () => false,
  };

  it("without one that is named or runs here, and without --database, nothing is done", async () => {
    const { code, stderr } = await terminal.run(
      "flows list",
      { HOME: directory, MILLRACE_DATA_DIR: directory },
      none,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining("say --database")]);
  });

  it("the address of this machine follows PORT", async () => {
    const { port } = new URL(service.address);
    const env = { HOME: directory, MILLRACE_DATA_DIR: directory, PORT: port, MILLRACE_API_KEY: admin };
    expect((await terminal.run("members list --json", env, none)).code).toBe(0);
  });
});
