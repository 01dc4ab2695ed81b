import { lowestIdAt } from "../../src/domain/ids.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTerminal, demoDirectory, type Terminal } from "./terminal.ts";

let terminal: Terminal;
beforeAll(async () => {
  terminal = await createTerminal();
  await terminal.json(`apply ${demoDirectory}`);
});
afterAll(() => terminal.close());

describe("every command", () => {
  const commands = [
    "apply",
    "plan",
    "export",
    "flows versions",
    "flows diff",
    "flows publish",
    "flows rollback",
    "variables list",
    "runs values",
    "runs counts",
    "flows statistics",
    "agents sessions",
    "processes list",
    "variables set",
    "variables unset",
    "variables versions",
    "schedules list",
    "schedules pause",
    "schedules resume",
    "schedules run",
    "events list",
    "events show",
    "events replay",
    "orgs list",
    "orgs limits",
    "users list",
    "keys create",
    "keys list",
    "keys rotate",
    "keys revoke",
    "flows list",
    "flows validate",
    "flows run",
    "runs list",
    "runs get",
    "runs trigger",
    "runs watch",
    "runs cancel",
    "runs resume",
    "queue list",
    "queue cancel",
    "flows activate",
    "flows deactivate",
    "flows delete",
    "agents list",
    "credentials list",
    "webhooks show",
    "webhooks regenerate",
    "webhooks enable",
    "webhooks disable",
    "webhooks delete",
    "credits show",
    "credits grant",
    "doctor",
  ];

  it.each(commands)("%s has --json and help with an example of itself", async (command) => {
    const { code, stdout } = await terminal.run(`${command} --help`);
    expect(code).toBe(0);
    expect(stdout).toContain("--json");
    expect(stdout).toContain(`Example:\n  $ millrace ${command}`);
  });

  it("ends with 2 and one line when the command line is not understood", async () => {
    for (const line of [
      "flows lst",
      "orgs limits",
      "keys create --org org_demo --expires soon",
      "apply",
      "nonsense",
    ]) {
      const { code, stderr } = await terminal.run(line);
      expect({ line, code }).toEqual({ line, code: 2 });
      expect(stderr).toMatch(/^error: /);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it("ends with 1 and one line, without a stack, when it fails", async () => {
    for (const line of [
      "flows activate nowhere",
      "keys revoke key_x",
      "credits show --org nowhere",
      "orgs limits --org x",
    ]) {
      const { code, stderr } = await terminal.run(line);
      expect({ line, code }).toEqual({ line, code: 1 });
      expect(stderr.split("\n")).toHaveLength(1);
      expect(stderr).toMatch(/^error: There is no .*; see: millrace/);
    }
  });
});

describe("lists", () => {
  it("show organizations, users, flows and agents as aligned tables", async () => {
    expect((await terminal.run("orgs list")).stdout).toBe(
      ["ID        NAME  SUSPENDED  MEMBERS", "org_demo  Demo  no         1"].join("\n"),
    );
    expect((await terminal.run("users list --org org_demo")).stdout).toContain("org_demo (owner)");
    expect((await terminal.run("flows list")).stdout).toMatch(
      /flow_hello\s+org_demo\s+Hello\s+yes\s+\d{8}\.1\s+enabled\s+0/,
    );
    expect((await terminal.run("agents list --org org_demo")).stdout).toContain("agent_helper");
    expect((await terminal.run("flows list --org org_none")).stdout).toBe("Nothing to show.");
  });
});

describe("limits", () => {
  it("are shown, and only the named ones are changed", async () => {
    expect(await terminal.json("orgs limits --org org_demo --concurrency 3")).toEqual({
      organizationId: "org_demo",
      concurrency: 3,
      queue: 10_000,
      requestsPerMinute: null,
    });
    expect(await terminal.json("orgs limits --org org_demo")).toMatchObject({ concurrency: 3 });
    expect((await terminal.run("orgs limits --org org_demo --queue -1")).code).toBe(2);
  });
});

describe("flows", () => {
  it("are switched between active and passive, and deleted", async () => {
    expect(await terminal.json("flows deactivate flow_branch")).toEqual({ id: "flow_branch", active: false });
    const active = async () =>
      (await terminal.json("flows list")).data.find(({ id }: { id: string }) => id === "flow_branch")?.active;
    expect(await active()).toBe(false);
    expect(await terminal.json("flows activate flow_branch")).toEqual({ id: "flow_branch", active: true });
    expect(await active()).toBe(true);
    const preview = await terminal.json("flows delete flow_branch --dry-run");
    expect(preview).toMatchObject({ deleted: false, runs: { queued: { count: 0, becomes: "canceled" } } });
    expect(await terminal.json("flows delete flow_branch")).toEqual({ ...preview, deleted: true });
    const { rows } = await terminal.database.pool.query(
      `SELECT action, via FROM audit_entries WHERE target = 'flow_branch' ORDER BY id`,
    );
    expect(rows).toEqual(
      ["create", "deactivate", "activate", "delete"].map((verb) => ({ action: `flow.${verb}`, via: "cli" })),
    );
    expect(await active()).toBeUndefined();
    expect((await terminal.run("flows delete flow_branch")).code).toBe(1);
  });
});

describe("webhooks", () => {
  const show = () =>
    terminal.json("webhooks show --flow flow_hello", { MILLRACE_WEB_URL: "https://web.example/" });

  it("show the address under the web address, the public one, or where the service listens", async () => {
    expect(await show()).toEqual({
      url: expect.stringMatching(
        /^https:\/\/web\.example\/app\/webhooks\/millrace\/flow_hello\/[0-9A-Za-z]{43}$/,
      ),
      enabled: true,
    });
    const at = async (env: Record<string, string>) =>
      new URL((await terminal.json("webhooks show --flow flow_hello", env)).url).origin;
    expect(await at({ MILLRACE_PUBLIC_URL: "https://api.example" })).toBe("https://api.example");
    expect(await at({ PORT: "4100" })).toBe("http://127.0.0.1:4100");
    expect(await at({ HOST: "0.0.0.0" })).toBe("http://localhost:4000");
    expect(await at({ HOST: "::1" })).toBe("http://[::1]:4000");
  });

  it("keep their address when switched and change it when regenerated", async () => {
    const before = await show();
    await terminal.json("webhooks disable --flow flow_hello");
    expect(await show()).toEqual({ ...before, enabled: false });
    await terminal.json("webhooks enable --flow flow_hello");
    expect(await show()).toEqual(before);
    await terminal.json("webhooks regenerate --flow flow_hello");
    expect((await show()).url).not.toBe(before.url);
  });

  it("are gone when deleted, until the document brings a new one", async () => {
    const before = await show();
    await terminal.json("webhooks delete --flow flow_hello");
    expect((await terminal.run("webhooks show --flow flow_hello")).code).toBe(1);
    await terminal.json(`apply ${demoDirectory}/hello.yaml`);
    expect((await show()).url).not.toBe(before.url);
  });
});

describe("credits", () => {
  it("are granted to organizations that have a balance, and to no other", async () => {
    expect(await terminal.json("credits show --org org_demo")).toEqual({
      organizationId: "org_demo",
      limited: false,
      balance: 0,
    });
    const refused = await terminal.run("credits grant --org org_demo --amount 5");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("unlimited");
    await terminal.database.pool.query(`UPDATE organizations SET credits_limited = true`);
    await terminal.json("credits grant --org org_demo --amount 5 --note gift");
    expect(await terminal.json("credits grant --org org_demo --amount -2")).toMatchObject({ balance: 3 });
  });
});

describe("doctor", () => {
  it("finds a healthy database healthy", async () => {
    const { data: findings } = await terminal.json("doctor");
    expect(
      findings.map(({ check, status }: { check: string; status: string }) => `${status} ${check}`),
    ).toEqual([
      "ok node",
      "ok configuration",
      expect.stringMatching(/ disk$/),
      "ok database",
      "ok schema",
      "ok clock",
      "ok secrets",
      "ok disk budget",
      "ok transactions",
      "ok callers",
    ]);
  });

  it("says how much the runs of a day will have grown to, and warns where nothing bounds them", async () => {
    await terminal.database.pool.query(
      `INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, max_duration_ms, trigger_source, updated_at, completed_at)
       SELECT 'org_demo', $1 || lpad(n::text, 4, '0'), 'flow_hello', '20260101.1', 'COMPLETED', 'admitted', false, 1, 'api', now(), now()
         FROM generate_series(1, 1000) AS n`,
      [lowestIdAt("run", Date.now()).slice(0, -4)],
    );
    const bounded = await terminal.run("doctor");
    expect(bounded.stdout).toMatch(
      /ok {4}disk budget .* 1000 runs a day, kept for 30 days, come to about \d+ MB/,
    );
    const unbounded = await terminal.run("doctor", { MILLRACE_RETENTION_DAYS: "0" });
    expect(unbounded.stdout).toContain("set MILLRACE_RETENTION_DAYS to bound it");
    await terminal.database.pool.query(`DELETE FROM runs`);
  });

  it("names every fault of the configuration and ends with 1", async () => {
    const { code, stdout } = await terminal.run("doctor", { PORT: "x", MILLRACE_POOL_SIZE: "0" });
    expect(code).toBe(1);
    expect(stdout).toContain("fail  configuration  PORT must be a whole number");
    expect(stdout).toContain("MILLRACE_POOL_SIZE");
  });

  it("tells when stored secrets were sealed with a key that is not known", async () => {
    await terminal.database.pool.query(
      `UPDATE flow_webhooks SET token_ciphertext = regexp_replace(token_ciphertext, '^v1\\.[^.]+', 'v1.deadbeef')`,
    );
    const { code, stdout } = await terminal.run("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/fail {2}secrets .*deadbeef.*MILLRACE_PREVIOUS_SECRET_KEYS/);
  });
});
