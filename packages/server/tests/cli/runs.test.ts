import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flowOf } from "../flows-end-to-end/dry-run.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

let service: TestService;
let terminal: Terminal;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let env: Record<string, string>;

const node = (id: string, type: string, inputs: object) => ({ id, type, data: { inputs } });
const flows = {
  flow_echo: flowOf(
    "f",
    [node("done", "return", { value: { said: "{{ trigger.body.say }}" } })],
    ["start done"],
  ),
  flow_asking: flowOf(
    "f",
    [
      node("ask", "approval", { message: "Really \u001b[2J?" }),
      node("done", "return", { value: { note: "{{ nodes.ask.data.note }}" } }),
    ],
    ["start ask", "ask:approved done"],
  ),
  flow_failing: flowOf("f", [node("no", "fail", { message: "Not today." })], ["start no"]),
  flow_draft: flowOf("f", [node("odd", "nonsense", {})], ["start odd"]),
};

beforeAll(async () => {
  service = await startTestService();
  terminal = await createTerminal();
  keys = await addTwoOrganizations(service.database.pool);
  for (const [id, { graph }] of Object.entries(flows))
    await addFlow(service.database.pool, "org_one", id, { graph });
  env = { MILLRACE_URL: service.address, MILLRACE_API_KEY: keys.one };
});
afterAll(async () => {
  await terminal.close();
  await service.stop();
});

const run = (line: string, more = {}) => terminal.run(line, env, more);
const trigger = async (flags: string) => (await terminal.json(`runs trigger ${flags}`, env)).id as string;

async function paused(): Promise<string> {
  const id = await trigger("--flow flow_asking");
  await expect.poll(async () => (await terminal.json(`runs get ${id}`, env)).status).toBe("PAUSED");
  return id;
}

describe("runs trigger", () => {
  it("starts a run and with --wait shows its nodes and its output", async () => {
    const { code, stdout } = await run(`runs trigger --flow flow_echo --body {"say":"hi"} --wait`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^run_\w+ WAITING\n/);
    expect(stdout).toMatch(/✓ start +start/);
    expect(stdout).toMatch(/✓ done +return/);
    expect(stdout).toMatch(/COMPLETED in [\d.]+ s\n\{\n {2}"said": "hi"\n\}$/);
  });

  it("hands on every option, and marks the run as started by hand", async () => {
    const id = await trigger(
      '--flow flow_echo --data {"n":1} --tag a --tag b --delay 1h --max-attempts 3 --max-duration 60 --idempotency-key k1 --test',
    );
    expect(await trigger("--flow flow_echo --idempotency-key k1")).toBe(id);
    expect(await terminal.json(`runs get ${id}`, env)).toMatchObject({
      status: "WAITING",
      tags: ["a", "b"],
      payload: { data: { n: 1 }, triggerSource: "manual" },
    });
    const listed = await terminal.json("runs list --tag b --period 1h", env);
    expect(listed.data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await run(`runs cancel ${id}`)).stdout).toBe(`${id} is cancelled.`);
    expect((await run(`runs cancel ${id}`)).stderr).toContain(
      "Run cannot be cancelled: Only WAITING or EXECUTING runs can be cancelled",
    );
  });

  it("says why a flow cannot run, fault by fault", async () => {
    const { code, stderr } = await run("runs trigger --flow flow_draft");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: Flow validation failed.*\(400\)\n {2}.*nonsense/);
    expect((await run("runs trigger --flow flow_echo --delay soon")).stderr).toMatch(/\n {2}delay must be/);
  });

  it("follows a queued run through the queue to its end", async () => {
    const limit = (slots: number) =>
      service.database.pool.query(`UPDATE organizations SET concurrency_limit = $1 WHERE id = 'org_one'`, [
        slots,
      ]);
    await limit(0);
    const waiting = run(`runs trigger --flow flow_echo --wait --json`);
    await expect.poll(async () => (await terminal.json("queue list --org org_one", env)).data.length).toBe(1);
    const other = (await terminal.json("runs trigger --flow flow_echo", env)).queueId;
    expect((await run("queue list --org org_one")).stdout).toMatch(
      /POSITION +ID +STATUS .*\n1 +queue_\w+ +waiting/,
    );
    expect((await run(`queue cancel ${other} --org org_one`)).stdout).toBe(`${other} is cancelled.`);
    await limit(10);
    const { code, stdout } = await waiting;
    expect(code).toBe(0);
    const lines = stdout.split("\n").map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ status: "queued" });
    expect(lines.at(-1)).toMatchObject({ type: "run", data: { status: "COMPLETED" } });
  });
});

describe("runs watch", () => {
  it("draws a paused run, goes on when it is answered, and cleans the terminal of foreign escapes", async () => {
    const id = await trigger("--flow flow_asking");
    const written: string[] = [];
    const screen = { write: (text: string) => void written.push(text), columns: () => 80 };
    const lines: string[] = [];
    const stdout = (text: string) => void lines.push(text);
    const watching = run(`runs watch ${id}`, { screen, stdout });
    const answer = `answer with: millrace runs resume ${id} --node ask --approve`;
    await expect.poll(() => lines.join("\n")).toContain(answer);
    const shown = await run(`runs get ${id}`);
    expect(shown.stdout).toContain(answer);
    expect(shown.stdout + lines.filter((line) => line.includes("Really")).join()).not.toContain("\u001b[2J");
    expect((await run(`runs resume ${id} --approve --data {"note":"ok"}`)).stdout).toBe(
      `ask of ${id} is approved.`,
    );
    expect((await watching).code).toBe(0);
    expect(lines.join("\n")).toMatch(/✓.* ask +approval/);
    expect(lines.at(-1)).toContain('"note": "ok"');
  });

  it("ends with 1 and the reason when the run did not complete, also when it had ended before", async () => {
    const id = await trigger("--flow flow_failing");
    for (const time of ["first", "again"]) {
      const { code, stdout, stderr } = await run(`runs watch ${id}`);
      expect({ time, code }).toEqual({ time, code: 1 });
      expect(stdout).toMatch(/✗ no +fail/);
      expect(stderr).toBe(`error: ${id} ended FAILED at the node "no": Not today.`);
    }
  });

  it("can be stopped without touching the run", async () => {
    const id = await paused();
    const controller = new AbortController();
    const watched = { interruption: () => controller.signal, stdout: () => controller.abort() };
    expect(await run(`runs watch ${id}`, watched)).toMatchObject({
      code: 1,
      stderr: `error: Stopped watching; ${id} goes on.`,
    });
    expect((await terminal.json(`runs get ${id}`, env)).status).toBe("PAUSED");
    expect((await run(`runs resume ${id}`)).code).toBe(2);
    expect((await run(`runs resume ${id} --reject`)).stdout).toContain("is rejected");
  });
});

describe("one run", () => {
  it("goes by any of its names", async () => {
    const id = await trigger("--flow flow_echo --delay 1h");
    for (const name of [id, id.replace("run_", "queue_"), id.replace("run_", "rh_")]) {
      expect((await terminal.json(`runs get ${name}`, env)).id).toBe(id);
      expect((await terminal.json(`runs why ${name}`, env)).cause).toBe("delay");
    }
    expect((await run(`runs cancel ${id.replace("run_", "rh_")}`)).stdout).toBe(`${id} is cancelled.`);
    await expect
      .poll(async () => (await terminal.json(`runs get ${id.replace("run_", "queue_")}`, env)).status)
      .toBe("CANCELED");
    expect((await run(`queue cancel ${id} --org org_one`)).stderr).toContain("(404)");
  });
});

describe("every list", () => {
  it.each([
    "runs list",
    "queue list --org org_one",
    "flows list",
    "orgs list",
    "users list",
    "keys list",
    "agents list",
    "credentials list",
    "events list",
    "events endpoints list",
    "doctor",
  ])("is printed by %s --json in one shape", async (line) => {
    const { stdout } = await run(`${line} --json`);
    const { data, ...rest } = JSON.parse(stdout);
    expect(Array.isArray(data)).toBe(true);
    expect(rest).toEqual({ pagination: expect.any(Object) });
  });
});

describe("runs list", () => {
  it("shows a page as a table and how to go on", async () => {
    const { stdout } = await run("runs list --size 1 --flow flow_failing --status FAILED,CRASHED");
    expect(stdout).toMatch(
      /^ID +STATUS +FLOW +SOURCE +TAGS +CREATED +COMPLETED\nrun_\w+ +FAILED +flow_failing +manual/,
    );
    const cursor = /--after (\S+)/.exec((await run("runs list --size 1")).stdout)![1];
    expect((await run(`runs list --size 1 --after ${cursor}`)).stdout).toMatch(/^ID/);
  });
});

describe("what goes wrong", () => {
  it("is told in one line that says what to do, and never with the key", async () => {
    const foreign = await startLoopbackServer((_request, response) => void response.end("hello"));
    const lines: [string, Record<string, string>, number, RegExp][] = [
      [
        "runs list",
        { MILLRACE_API_KEY: "" },
        2,
        /An API key is needed: set MILLRACE_API_KEY.*millrace keys create/,
      ],
      [
        "runs list",
        { MILLRACE_API_KEY: "mr_org_canary" },
        1,
        /\(401\); check MILLRACE_API_KEY; see: millrace keys list/,
      ],
      ["runs list --key mr_org_canary", {}, 1, /\(401\)/],
      ["runs list", { MILLRACE_API_KEY: "mr_org_canary\u00e9" }, 2, /characters that no key can have/],
      ["runs get run_nowhere", {}, 1, /Run not found.*see: millrace runs list/],
      ["runs trigger --flow nowhere", {}, 1, /Flow not found.*see: millrace flows list/],
      ["queue list --org org_two", {}, 1, /\(403\)/],
      ["queue cancel queue_x --org org_one", {}, 1, /millrace queue list/],
      ["runs watch run_nowhere", {}, 1, /Run not found/],
      [
        "runs list --url http://127.0.0.1:1",
        {},
        1,
        /No connection to .*millrace start.*--url or MILLRACE_URL/,
      ],
      ["runs list --url nonsense", {}, 2, /is not an address/],
      [`runs list --url ${foreign.url}`, {}, 1, /does not answer like Millrace/],
    ];
    for (const [line, more, code, text] of lines) {
      const result = await terminal.run(line, { ...env, ...more });
      expect({ line, code: result.code }).toEqual({ line, code });
      expect(result.stderr).toMatch(text);
      expect(result.stderr.split("\n")).toHaveLength(1);
      expect(JSON.stringify(result)).not.toMatch(/canary|mr_org_/);
    }
    await foreign.close();
  });
});
