import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "../../src/cli/program.ts";
import { runProgram } from "../../src/cli/run-program.ts";
import type { CliDependencies } from "../../src/cli/cli.ts";
import { dryRun } from "../../src/engine/dry-run/dry-run.ts";
import { withReplay } from "../../src/engine/replay/with-replay.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { demoDirectory } from "./terminal.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "millrace-run-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(directory, name), content);
  return join(directory, name);
}

/** Without a database: opening one is a failure. */
async function run(words: readonly string[], more: Partial<CliDependencies> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const program = buildProgram({
    withDatabase: () => Promise.reject(new Error("A database was opened.")),
    stdout: (text) => void out.push(text),
    stderr: (text) => void err.push(text),
    env: {},
    catalogue: nodeTypes,
    isDatabaseMeant: () => false,
    dryRun: (request) => dryRun(request, { env: {}, egressAllow: [] }),
    withReplay,
    interruption: () => new AbortController().signal,
    startCommands: () => {},
    ...more,
  });
  const code = await runProgram(
    program,
    ["node", "millrace", "flows", ...words],
    (text) => void err.push(text),
  );
  return { code, stdout: out.join("\n"), stderr: err.join("\n") };
}

const waiting = `
kind: Flow
id: flow_waiting
organizationId: org_a
name: W
graph:
  nodes:
    - { id: start, type: start }
    - { id: pause, type: wait, data: { inputs: { duration: 6s } } }
    - { id: done, type: return, data: { inputs: { value: { ok: true } } } }
  edges: [{ source: start, target: pause }, { source: pause, target: done }]
`;

describe("flows validate", () => {
  it("needs no database, unless asked to look into one", async () => {
    const fine = await run(["validate", demoDirectory]);
    expect(fine).toMatchObject({ code: 0, stderr: "" });
    expect(fine.stdout).toContain("flow_hello: valid");
    expect(await run(["validate", demoDirectory, "--against-database"])).toMatchObject({
      code: 1,
      stderr: "error: A database was opened.",
    });
  });

  it("prints errors and warnings per flow, says what was looked at, and ends with 1", async () => {
    const path = await file(
      "pointing.yaml",
      `kind: Flow
id: flow_pointing
organizationId: org_a
name: P
graph:
  nodes:
    - { id: start, type: start }
    - { id: fetch, type: http-request, data: { credential: cred_stored, inputs: { url: "https://example.com" } } }
  edges: [{ source: start, target: fetch }]
`,
    );
    const { code, stdout, stderr } = await run(["validate", path]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^flow_pointing: not valid\n {2}error: .*"cred_stored".*\n {2}warning: /);
    expect(stderr).toContain("--against-database adds what is stored");
    const json = await run(["validate", path, "--json"]);
    expect(JSON.parse(json.stdout).data).toEqual([
      {
        id: "flow_pointing",
        organizationId: "org_a",
        errors: [expect.any(String)],
        warnings: [expect.any(String)],
      },
    ]);
    expect(json.code).toBe(1);
  });
});

describe("flows run", () => {
  it("shows each node and then the output, without a database", async () => {
    const { code, stdout } = await run(["run", `${demoDirectory}/hello.yaml`, "--body", '{"name":"Ada"}']);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines[0]).toBe("flow_hello");
    expect(lines[2]).toMatch(/^ {2}✓ greet +template +<?\d+ ms {2}\{"text":"Hello Ada!"\}$/);
    expect(lines[4]).toMatch(/^COMPLETED in /);
    expect(JSON.parse(lines.slice(5).join("\n"))).toEqual({ text: "Hello Ada!" });
  });

  it("reads JSON from files, and prints one JSON line an event and one for the end", async () => {
    const body = await file("body.json", '{ "name": "Ada" }');
    const { code, stdout } = await run([
      "run",
      `${demoDirectory}/hello.yaml`,
      "--body",
      `@${body}`,
      "--json",
    ]);
    expect(code).toBe(0);
    const events = stdout.split("\n").map((line) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toEqual(["started", ...Array(6).fill("node"), "finished"]);
    expect(events.at(-1)).toMatchObject({ status: "COMPLETED", output: { text: "Hello Ada!" } });
  });

  it("ends with 1 and the node's error when the flow fails", async () => {
    const path = await file(
      "failing.yaml",
      `kind: Flow
id: flow_failing
organizationId: org_a
name: F
graph:
  nodes:
    - { id: start, type: start }
    - { id: no, type: fail, data: { inputs: { message: "Not \\u001b[31mtoday" } } }
  edges: [{ source: start, target: no }]
`,
    );
    const { code, stdout, stderr } = await run(["run", path]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ no +fail .*Not {2}\[31mtoday\nFAILED in /);
    expect(stderr).toMatch(/^warning: .*no "return" node/);
    expect(stderr.split("\n").at(-1)).toBe('error: The flow failed at the node "no": Not  [31mtoday');
  });

  it("answers waits and approvals by flags, and says which flag is missing", async () => {
    const approval = `${demoDirectory}/approval.yaml`;
    expect((await run(["run", approval])).stderr).toContain("answer with --approve or --reject");
    expect((await run(["run", approval, "--approve", "--reject"])).code).toBe(2);
    const approved = await run(["run", approval, "--approve", "--decision-data", '{"note":"fine"}']);
    expect(approved.stdout).toContain('"note": "fine"');
    expect((await run(["run", approval, "--reject"])).stdout).toContain('"decision": "rejected"');
    const path = await file("waiting.yaml", waiting);
    const refused = await run(["run", path]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("add --skip-waits") });
    expect((await run(["run", path, "--skip-waits"])).stdout).toContain('"ok": true');
  });

  it("asks a person in front of a terminal, one question at a time, and draws around it", async () => {
    const written: string[] = [];
    const asked: string[] = [];
    const screen = { write: (text: string) => void written.push(text), columns: () => 60 };
    const ask = async (question: string) => {
      asked.push(question);
      return asked.length === 1 ? "y" : "";
    };
    const approved = await run(["run", `${demoDirectory}/approval.yaml`], { screen, ask });
    expect(approved.stdout).toContain('"paid": true');
    const path = await file("waiting.yaml", waiting);
    expect((await run(["run", path], { screen, ask })).stdout).toContain('"ok": true');
    expect(asked).toEqual([
      "Refund 40 to Ada? Approve? [y/n] ",
      expect.stringMatching(/^Node "pause" waits \d\.\d s\. Skip it\? \[Y\/n\] $/),
    ]);
    // What was drawn is taken away again, line by line.
    const drawn = written.filter((text) => text.endsWith("\n")).length;
    const erased = written
      .map((text) => Number(/\[(\d+)F/.exec(text)?.[1] ?? 0))
      .reduce((sum, lines) => sum + lines, 0);
    expect(drawn).toBeGreaterThan(0);
    expect(erased).toBe(drawn);
    expect(approved.stdout.split("\n").every((line) => line.length <= 60 + 10)).toBe(true);
  });

  it("a declined question rejects, and Ctrl-C ends the run with 1", async () => {
    const ask = async () => "n";
    expect((await run(["run", `${demoDirectory}/approval.yaml`], { ask })).stdout).toContain(
      '"decision": "rejected"',
    );
    const controller = new AbortController();
    const path = await file("waiting.yaml", waiting);
    const interrupted = await run(["run", path], {
      ask: async () => {
        setImmediate(() => controller.abort());
        return "n";
      },
      interruption: () => controller.signal,
    });
    expect(interrupted).toMatchObject({ code: 1, stderr: "error: The flow was interrupted." });
  });

  it("refuses what is no JSON, no object or no file with 2", async () => {
    for (const [flag, value] of [
      ["--body", "{x"],
      ["--data", "[1]"],
      ["--inputs", "@/nowhere.json"],
    ] as const) {
      const { code, stderr } = await run(["run", `${demoDirectory}/hello.yaml`, flag, value]);
      expect({ flag, code }).toEqual({ flag, code: 2 });
      expect(stderr).toMatch(/^error: .*(JSON|file)/);
    }
  });
});
