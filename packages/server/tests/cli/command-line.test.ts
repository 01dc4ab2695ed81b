import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoDirectory } from "./terminal.ts";

const program = fileURLToPath(new URL("../../bin/millrace.js", import.meta.url));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "millrace-line-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function millrace(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env["PATH"],
    MILLRACE_DATA_DIR: join(directory, "data"),
    CRM_TOKEN: "canary-9d41",
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

describe("the program as people run it", () => {
  it("makes no database by itself; told to, it applies the demo workspace into a new one, and makes a key for it", async () => {
    const refused = await millrace("orgs", "list");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("say --database") });
    const applied = await millrace("apply", demoDirectory, "--json", "--database");
    expect(applied).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(applied.stdout).documents).toContainEqual(
      expect.objectContaining({
        action: "created",
        kind: "Flow",
        id: "flow_hello",
        errors: [],
        warnings: [],
      }),
    );
    const created = await millrace("keys", "create", "--org", "org_demo", "--json", "--database");
    expect(JSON.parse(created.stdout)).toMatchObject({
      scope: "org",
      organizationId: "org_demo",
      userId: "user_ada",
    });
    const webhook = await millrace("webhooks", "show", "--flow", "flow_hello", "--json", "--database");
    expect(Object.keys(JSON.parse(webhook.stdout))).toEqual(["url", "enabled"]);
  });

  it("ends with 1 and the place of the fault, or with 2 for a command it does not know", async () => {
    const bad = join(directory, "bad.yaml");
    await writeFile(bad, "kind: Organization\nid: org_x\nnmae: X\n");
    const failed = await millrace("apply", bad, "--database");
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toContain(`${bad}:3:1 nmae`);
    expect((await millrace("aply")).code).toBe(2);
  });

  it("takes secrets from its environment and prints none of them", async () => {
    const file = join(directory, "credential.yaml");
    const secret = "secret: { token: { env: CRM_TOKEN } }";
    await writeFile(
      file,
      `kind: Credential\nid: cred_crm\norganizationId: org_demo\ntype: http-bearer\nallowedHosts: [api.example.com]\n${secret}\n`,
    );
    const applied = await millrace("apply", file, "--database");
    expect(applied).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/created\s+Credential\s+cred_crm/),
    });
    const listed = await millrace("credentials", "list", "--json", "--database");
    expect(JSON.stringify([applied, listed])).not.toContain("canary-9d41");
  });
});
