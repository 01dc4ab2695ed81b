import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTerminal, demoDirectory, type Terminal } from "./terminal.ts";

const CANARY = "canary-51b2";

let terminal: Terminal;
let directory: string;
beforeAll(async () => {
  terminal = await createTerminal();
  directory = await mkdtemp(join(tmpdir(), "millrace-cli-"));
});
afterAll(async () => {
  await terminal.close();
  await rm(directory, { recursive: true });
});

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(directory, name), content);
  return join(directory, name);
}

describe("millrace apply", () => {
  it("prints what each document became, and that a dry run changed nothing", async () => {
    const dry = await terminal.run(`apply ${demoDirectory} --dry-run`);
    expect(dry.stdout).toMatch(/created\s+Flow\s+flow_hello\s+org_demo\s+\d{8}\.1/);
    expect(dry.stdout).toMatch(/This was a dry run: nothing was changed.$/);
    expect((await terminal.run("orgs list")).stdout).toBe("Nothing to show.");
    expect((await terminal.run(`apply ${demoDirectory}`)).stdout).toMatch(
      /created\s+Organization\s+org_demo/,
    );
    const again = await terminal.run(`apply ${demoDirectory}`);
    expect(again.stdout).not.toMatch(/created|updated/);
  });

  it("prints each fault as file:line:column, exits with 1, and with --json lists them", async () => {
    const bad = await file("bad.yaml", "kind: Organization\nid: org_x\nnmae: X\n");
    const { code, stdout, stderr } = await terminal.run(`apply ${demoDirectory} ${bad}`);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(`${bad}:3:1 nmae: unknown key "nmae"; did you mean "name"?`);
    expect(stderr).toMatch(/error: 2 faults; nothing was changed.$/);
    const json = await terminal.run(`apply ${bad} --json`);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout).faults[1]).toMatchObject({ file: bad, line: 3, column: 1, path: "nmae" });
  });

  it("refuses a flow that would not run, and keeps it as a draft where it is told to", async () => {
    const draft = await file(
      "draft.yaml",
      "kind: Flow\nid: flow_draft\norganizationId: org_demo\nname: D\ngraph: { nodes: [], edges: [] }\n",
    );
    const refused = await terminal.run(`apply ${draft}`);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${draft}:5:1 graph: The flow has no nodes`);
    const { code, stdout } = await terminal.run(`apply ${draft} --draft`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/flow_draft: error: /);
    expect(stdout).toContain("kept as drafts");
    const validated = await terminal.run(`flows validate ${draft}`);
    expect(validated.code).toBe(1);
    expect(validated.stdout).toMatch(/flow_draft: not valid\n {2}error: /);
  });

  it("validates the demo flows without storing anything", async () => {
    const { code, stdout } = await terminal.run(`flows validate ${demoDirectory}`);
    expect(code).toBe(0);
    expect(stdout).toContain("flow_hello: valid");
  });

  it("never prints a secret, whatever it prints", async () => {
    const credential = await file(
      "credential.yaml",
      `kind: Credential\nid: cred_a\norganizationId: org_demo\ntype: http-header\nallowedHosts: [api.example.com]\nsecret: { name: X-Key, value: { env: KEY } }\n`,
    );
    const outputs = [
      await terminal.run(`apply ${credential}`, { KEY: CANARY }),
      await terminal.run(`apply ${credential} --json`, { KEY: CANARY }),
      await terminal.run("credentials list"),
      await terminal.run("credentials list --json"),
      await terminal.run("doctor", { KEY: CANARY }),
    ];
    expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(outputs[3]!.stdout).toContain("cred_a");
    expect(JSON.stringify(outputs)).not.toContain(CANARY);
    expect(outputs[3]!.stdout).not.toMatch(/cipher|fingerprint|v1\./);
  });
});
