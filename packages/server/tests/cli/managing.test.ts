import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliDependencies } from "../../src/cli/cli.ts";
import { openCredential } from "../../src/operations/credentials/open-credential.ts";
import type { Database } from "../../src/storage/open-database.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

let service: TestService;
let terminal: Terminal;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let home: string;
beforeAll(async () => {
  service = await startTestService();
  keys = await addTwoOrganizations(service.database.pool);
  terminal = await createTerminal();
  home = await mkdtemp(join(tmpdir(), "millrace-home-"));
});
afterAll(async () => {
  await service.stop();
  await terminal.close();
  await rm(home, { recursive: true, force: true });
});

const at = (key: string) => ({ MILLRACE_URL: service.address, MILLRACE_API_KEY: key, HOME: home });

describe("over HTTP", () => {
  it("members are added, changed, listed and removed, and the audit log says by whom", async () => {
    const owner = at(keys.one);
    const added = await terminal.json("members add carl --email carl@example.com --name Carl", owner);
    expect(added).toMatchObject({ userId: "carl", role: "member" });
    expect((await terminal.run("members role carl --role viewer", owner)).stdout).toBe("carl is viewer now.");
    const listed = await terminal.json("members list", owner);
    expect(listed.data).toContainEqual(expect.objectContaining({ userId: "carl", role: "viewer" }));
    expect((await terminal.run("members remove carl", owner)).code).toBe(0);
    const audit = await terminal.json("audit list --action member --target carl", owner);
    expect(audit.data.map(({ action }: { action: string }) => action)).toEqual([
      "member.remove",
      "member.change",
      "member.add",
    ]);
    expect((await terminal.run("audit list --action member", owner)).stdout).toContain("carl");
  });

  it("a refusal by role says which one is needed", async () => {
    const { code, stderr } = await terminal.run("members list --org org_two", at(keys.one));
    expect([code, stderr]).toEqual([1, expect.stringContaining("(403)")]);
    const viewer = await terminal.run("audit list", at(keys.viewer));
    expect(viewer.stderr).toContain("admin");
  });

  it("keys are made, listed, rotated and revoked, and never beside the database then", async () => {
    const owner = at(keys.one);
    const refuse: Partial<CliDependencies> = {
      withDatabase: () => Promise.reject(new Error("beside the database")),
    };
    const run = async (line: string) => {
      const { code, stdout, stderr } = await terminal.run(`${line} --json`, owner, refuse);
      expect([line, code, stderr]).toEqual([line, 0, ""]);
      return JSON.parse(stdout);
    };
    const made = await run("keys create --name ci --role admin --expires 90d");
    expect(made).toMatchObject({ role: "admin", userId: "ada", key: expect.stringMatching(/^mr_org_/) });
    expect((await run("keys list")).data.map(({ id }: { id: string }) => id)).toContain(made.id);
    const rotated = await run(`keys rotate ${made.id} --overlap 0`);
    expect(rotated).toMatchObject({ replaces: made.id, role: "admin" });
    expect(await run(`keys revoke ${rotated.id}`)).toMatchObject({ id: rotated.id });
    expect(await run("credits show --org org_one")).toMatchObject({ limited: false });
    expect((await run("orgs list")).data).toMatchObject([{ id: "org_one", role: "owner" }]);
    expect(await run("orgs limits --org org_one --queue 55")).toMatchObject({ queue: 55, concurrency: 10 });
    await service.database.pool.query(
      `INSERT INTO flow_webhooks (organization_id, flow_id, token_hash, token_ciphertext) VALUES ('org_one', 'flow_one', $1, '')`,
      [Buffer.alloc(32, 1)],
    );
    const endpoint = { url: "http://127.0.0.1:9/", events: ["*"] };
    await service.send("PUT", "/manage/event-endpoints/hooks", { key: keys.one, body: endpoint });
    expect((await run("events endpoints list")).data).toMatchObject([{ id: "hooks", state: "new" }]);
    expect(await run("events endpoints show hooks")).toMatchObject({
      id: "hooks",
      secret: expect.any(String),
    });
    expect(await run("events endpoints disable hooks")).toEqual({ id: "hooks", enabled: false });
    expect(await run("events endpoints enable hooks --since 2d")).toMatchObject({
      enabled: true,
      replayed: 0,
    });
    expect(await run("events endpoints rotate-secret hooks --overlap 0")).toMatchObject({ id: "hooks" });
    const tested = await terminal.run("events endpoints test hooks --json", owner, refuse);
    expect([tested.code, JSON.parse(tested.stdout).delivered]).toEqual([1, false]);
    const { url } = await run("webhooks regenerate --flow flow_one");
    expect(await run("webhooks show --flow flow_one")).toEqual({ url, enabled: true });
    expect(await run("webhooks disable --flow flow_one")).toEqual({ url, enabled: false });
    expect(await run("webhooks delete --flow flow_one")).toEqual({ flowId: "flow_one", deleted: true });
    const text = await terminal.run("keys list", owner, refuse);
    expect(text.stdout).toContain(made.id);
    const beside = await terminal.run("keys list", { HOME: home }, refuse);
    expect(beside.stderr).toContain("beside the database");
  });

  it("a credential takes its secret from standard input, never from the command line", async () => {
    const owner = at(keys.one);
    const input = { readInput: () => Promise.resolve("s3cret-t0ken\n") };
    const line = "credentials set crm --type http-bearer --host api.example.com";
    const set = await terminal.run(line, owner, input);
    expect([set.code, set.stdout]).toEqual([0, "crm is created."]);
    const opened = await openCredential(
      { db: service.database.pool, secrets: service.secrets },
      "org_one",
      "crm",
    );
    expect(opened?.secret).toEqual({ token: "s3cret-t0ken" });
    const listed = await terminal.run("credentials list", owner);
    expect(listed.stdout).toContain("crm");
    expect(listed.stdout).not.toContain("s3cret");
    const shown = await terminal.run(`${line} --field token=x`, owner, input);
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining("standard input")]);
    expect((await terminal.run("credentials delete crm", owner)).stdout).toBe("crm is deleted.");
  });

  it("sessions are listed and ended", async () => {
    const signedIn = await service.send("POST", "/manage/sessions", { body: { key: keys.one } });
    const listed = await terminal.json("sessions list", at(keys.one));
    expect(listed.data.map(({ id }: { id: string }) => id)).toContain(signedIn.body.data.id);
    expect((await terminal.run(`sessions end ${signedIn.body.data.id}`, at(keys.one))).code).toBe(0);
    expect((await terminal.json("sessions list", at(keys.one))).data).toEqual([]);
  });
});

describe("profiles", () => {
  it("remember a service and its key for the user alone, and commands say which one they use", async () => {
    const env = { HOME: home };
    const add = await terminal.run(`profiles add mine --service ${service.address}`, {
      ...env,
      MILLRACE_API_KEY: keys.one,
    });
    expect(add.code).toBe(0);
    const file = join(home, ".config/millrace/profiles.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ current: "mine" });
    const listed = await terminal.run("profiles list", env);
    expect(listed.stdout).toContain(service.address);
    expect(listed.stdout).not.toContain(keys.one);

    const used = await terminal.run("members list", env);
    expect([used.code, used.stderr]).toEqual([0, `${service.address} (profile mine)`]);
    // What is named on the command line or in the environment wins.
    const named = await terminal.run("members list", { ...env, ...at(keys.two) });
    expect(named.stdout).toContain("bob");
    const asked = await terminal.run("members list --profile mine", {
      ...env,
      MILLRACE_URL: "http://127.0.0.1:1",
    });
    expect(asked.code).toBe(1);

    expect((await terminal.run("members list --profile other", env)).stderr).toContain('no profile "other"');
    expect((await terminal.run("profiles use mine", env)).code).toBe(0);
    expect((await terminal.run("profiles remove mine", env)).code).toBe(0);
    expect((await terminal.run("profiles remove mine", env)).code).toBe(1);
    expect((await terminal.run("members list", env)).stderr).toContain("An API key is needed");
  });
});

describe("console", () => {
  const beside = (): Partial<CliDependencies> => ({
    withDatabase: (_command, work) => work({ ...service.database } as unknown as Database),
  });

  it("prints a link that signs in once, and not for a service that listens beyond this machine", async () => {
    const printed = await terminal.run("console --no-browser --json", at(""), beside());
    expect(printed.code).toBe(0);
    const { url } = JSON.parse(printed.stdout);
    expect(url.startsWith(`${service.address}/console/login#`)).toBe(true);
    const token = url.split("#")[1];
    const signedIn = await service.send("POST", "/manage/sessions", { body: { token } });
    expect(signedIn.body.data.user.id).toBe("ada");
    const remote = { ...at(""), MILLRACE_URL: "http://millrace.example:4000" };
    const refused = await terminal.run("console --no-browser", remote, beside());
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--allow-remote")]);
    const meant = await terminal.run("console --no-browser --allow-remote", remote, beside());
    expect(meant.stdout).toContain("http://millrace.example:4000/console/login#");
  });
});
