import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "../../src/cli/program.ts";
import { runProgram } from "../../src/cli/run-program.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { withReplay } from "../../src/engine/replay/with-replay.ts";
import { flowOf } from "../flows-end-to-end/dry-run.ts";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

let directory: string;
let receiver: Server;
let received = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "millrace-tests-"));
  receiver = createServer((_request, response) => {
    received += 1;
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
afterAll(async () => {
  receiver.close();
  await rm(directory, { recursive: true });
});

/** Without a service and a database: opening one is a failure. */
async function run(...words: string[]) {
  const [out, err]: string[][] = [[], []];
  const refuse = () => Promise.reject(new Error("not here"));
  const program = buildProgram({
    isDatabaseMeant: () => false,
    withDatabase: refuse,
    stdout: (text) => void out!.push(text),
    stderr: (text) => void err!.push(text),
    env: {},
    catalogue: nodeTypes,
    dryRun: refuse,
    withReplay,
    interruption: () => new AbortController().signal,
    startCommands: () => {},
  });
  const code = await runProgram(
    program,
    ["node", "millrace", "flows", "test", ...words],
    (text) => void err!.push(text),
  );
  return { code, stdout: out!.join("\n"), stderr: err!.join("\n") };
}

let files = 0;
async function file(...documents: readonly object[]): Promise<string> {
  const path = join(directory, `${(files += 1)}.yaml`);
  await writeFile(path, documents.map((document) => JSON.stringify(document)).join("\n---\n"));
  return path;
}

const testOf = (flowId: string, more: object) => ({
  kind: "FlowTest",
  id: `t_${flowId}`,
  flowId,
  name: "It does",
  ...more,
});
const ret = (value: object) => ({ id: "done", type: "return", data: { inputs: { value } } });
const url = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

async function outcome(flow: object, test: object) {
  const { code, stdout } = await run(await file(flow, test), "--json");
  const { data } = JSON.parse(stdout) as { data: { passed: boolean; failures: unknown[] }[] };
  expect(code).toBe(data.every(({ passed }) => passed) ? 0 : 1);
  return data[0]!;
}

describe("flows test", () => {
  it("takes a flow through 30 days and an approval without waiting, in the flow's own time", async () => {
    const flow = flowOf(
      "flow_long",
      [
        { id: "month", type: "wait", data: { inputs: { duration: "30d" } } },
        { id: "ask", type: "approval", data: { inputs: { message: "Go on?" } } },
        ret({ at: "{{ $now() }}", note: "{{ nodes.ask.data.note }}" }),
      ],
      ["start month", "month ask", "ask:approved done"],
    );
    const test = testOf("flow_long", {
      now: "2026-03-01T00:00:00Z",
      answers: { ask: { decision: "approved", data: { note: "yes" } } },
      expect: {
        output: { at: "2026-03-31T00:00:00.000Z", note: "yes" },
        path: ["start", "month", "ask", "done"],
        calls: { ask: [{ message: "Go on?" }] },
      },
    });
    expect(await outcome(flow, test)).toMatchObject({ passed: true, failures: [] });
  });

  it("sends nothing, and says what to add where an effect has no answer, whatever the node does with errors", async () => {
    const flow = flowOf(
      "flow_call",
      [
        { id: "call", type: "http-request", data: { inputs: { url: url() }, onError: "continue" } },
        ret({ ok: true }),
      ],
      ["start call", "call done"],
    );
    const { passed, failures } = await outcome(
      flow,
      testOf("flow_call", { expect: { status: "COMPLETED" } }),
    );
    expect(passed).toBe(false);
    expect(failures).toEqual([
      {
        what: "answer",
        message: expect.stringContaining("Add it to the test: answers: { call: { … its output … } }"),
        differences: ["answers.call is missing", `it was given {"url":"${url()}"}`],
      },
    ]);
    const answered = testOf("flow_call", {
      answers: { call: { status: 200 } },
      expect: { calls: { call: 1 } },
    });
    expect(await outcome(flow, answered)).toMatchObject({ passed: true });
    expect(received).toBe(0);
  });

  it("answers every kind of effect without reaching it", async () => {
    const effects = [...nodeTypes.values()].filter(({ effect }) => effect);
    const nodes = effects.map(({ type, example }) => ({ id: `n-${type}`, type, data: { ...example } }));
    const ids = ["start", ...nodes.map(({ id }) => id), "done"];
    const edges = ids.slice(1).map((id, index) => `${ids[index]} ${id}`);
    const flow = flowOf("flow_every", [...nodes, ret({ n: "{{ $count($keys(nodes)) }}" })], edges);
    const answers = Object.fromEntries(nodes.map(({ id, type }) => [id, { answered: type }]));
    const trigger = { body: { text: "x", question: "?", message: "?" } };
    const data = { orderId: 1, country: "de", email: "a@example.com", customer: 1, query: "q" };
    const { passed, failures } = await outcome(
      flow,
      testOf("flow_every", { trigger, data, answers, expect: { path: ids, status: "COMPLETED" } }),
    );
    expect({ passed, failures }).toEqual({ passed: true, failures: [] });
  });

  it("tries again in virtual time, by attempts and by rounds", async () => {
    const flow = flowOf(
      "flow_retry",
      [
        { id: "each", type: "for-each", data: { inputs: { items: [1, 2] } } },
        {
          id: "call",
          type: "http-request",
          parentId: "each",
          data: {
            inputs: { url: "https://a.example/{{ item }}" },
            retry: { maxAttempts: 3, backoffSeconds: 60 },
          },
        },
        ret({
          items: "{{ nodes.each.items.body }}",
          minutes: "{{ ($millis() - $toMillis('2026-01-01T00:00:00Z')) / 60000 }}",
        }),
      ],
      ["start each", "each done"],
    );
    const overloaded = { $error: { name: "HttpStatusUnexpected", message: "503", status: 503 } };
    const test = testOf("flow_retry", {
      answers: { call: { body: "a" }, "call[1]": { $attempts: [overloaded, overloaded, { body: "b" }] } },
      expect: {
        output: { items: ["a", "b"], minutes: 3 },
        calls: { call: 4, "call[1]": 3, "call[0]": [{ url: "https://a.example/1" }] },
      },
    });
    expect(await outcome(flow, test)).toMatchObject({ passed: true, failures: [] });
  });

  it("ends a node by its time limit, and an approval by its own", async () => {
    const flow = flowOf(
      "flow_limits",
      [
        {
          id: "loop",
          type: "for-each",
          data: { inputs: { items: [1] }, timeoutSeconds: 60, onError: "continue" },
        },
        { id: "long", type: "wait", parentId: "loop", data: { inputs: { duration: "2h" } } },
        { id: "ask", type: "approval", data: { inputs: { message: "?", timeout: "2d" } } },
        ret({ error: "{{ nodes.loop.error.name }}", at: "{{ $now() }}" }),
      ],
      ["start loop", "loop ask", "ask:timeout done"],
    );
    const test = testOf("flow_limits", {
      answers: { ask: { decision: "timeout" } },
      expect: { output: { error: "NodeTimeout", at: "2026-01-03T00:01:00.000Z" } },
    });
    expect(await outcome(flow, test)).toMatchObject({ passed: true, failures: [] });
  });

  it("runs code and unbounded expressions, the same every time", async () => {
    const flow = flowOf(
      "flow_code",
      [
        {
          id: "js",
          type: "code",
          data: { inputs: { source: "return { at: Date.now(), n: Math.random() }" } },
        },
        ret({ at: "{{ nodes.js.at }}", n: "{{ nodes.js.n }}", r: "{{ $random() }}" }),
      ],
      ["start js", "js done"],
    );
    const first = await outcome(flow, testOf("flow_code", { expect: { output: {} } }));
    expect(first.passed).toBe(false);
    expect(first.failures).toEqual(
      (await outcome(flow, testOf("flow_code", { expect: { output: {} } }))).failures,
    );
    expect(JSON.stringify(first.failures)).toContain(
      `at: expected nothing, got ${Date.parse("2026-01-01T00:00:00Z")}`,
    );
  });

  it("shows what differs, and writes a JUnit report that holds any text", async () => {
    const flow = flowOf("flow_diff", [ret({ text: "a < b & \u0001 c", total: 5 })], ["start done"]);
    const path = await file(
      flow,
      testOf("flow_diff", {
        id: "wrong",
        name: 'Adds "up" <all>',
        expect: { output: { text: "a", total: 4 } },
      }),
      testOf("flow_diff", { id: "right", expect: { path: ["start", "done"] } }),
    );
    const report = join(directory, "junit.xml");
    const { code, stdout, stderr } = await run(path, "--junit", report);
    expect(code).toBe(1);
    expect(stdout).toContain(`FAILED flow_diff: Adds "up" <all> (${path}:3)`);
    expect(stdout).toContain('output: the output differs\n         text: expected "a", got');
    expect(stdout).toContain("total: expected 4, got 5");
    expect(stdout).toContain("1 of 2 passed");
    expect(stderr).toContain("1 of 2 tests failed.");
    const xml = await readFile(report, "utf8");
    expect(xml).toContain('<testsuite name="flow_diff" tests="2" failures="1" errors="0"');
    expect(xml).toContain('name="Adds &quot;up&quot; &lt;all&gt;"');
    expect(xml).toContain('<failure message="the output differs" type="output">');
    // oxlint-disable-next-line no-control-regex -- XML cannot hold them
    expect(xml).not.toMatch(/[\u0000-\u0008]|& /);
  });

  it("names by file and line what a test says of nodes that are not there", async () => {
    const flow = flowOf("flow_names", [ret({})], ["start done"]);
    const path = await file(flow, testOf("flow_names", { expect: { path: ["start", "don"] } }));
    const { code, stderr } = await run(path);
    expect(code).toBe(1);
    expect(stderr).toContain(`${path}:3:`);
    expect(stderr).toContain('expect.path[1]: unknown node "don"; did you mean "done"?');
    const lost = await run(await file(testOf("flow_nams", { expect: {} }), flow));
    expect(lost.stderr).toContain('flowId: unknown flow "flow_nams"; did you mean "flow_names"?');
  });

  it("fails a test whose trigger the flow would refuse, or whose flow would not run", async () => {
    const flow = {
      ...flowOf("flow_input", [ret({})], ["start done"]),
      input: { type: "object", required: ["a"], properties: { a: {} } },
    };
    const test = testOf("flow_input", { trigger: { body: {} }, expect: { status: "COMPLETED" } });
    expect((await outcome(flow, test)).failures).toEqual([
      {
        what: "flow",
        message: "the flow flow_input cannot run like this",
        differences: ["trigger.body.a is required"],
      },
    ]);
    const broken = flowOf("flow_broken", [ret({ a: "{{ 1 + }}" })], ["start done"]);
    expect((await outcome(broken, testOf("flow_broken", { expect: {} }))).failures).toHaveLength(1);
  });

  it("finds the flow beside its test, and says where there is no test at all", async () => {
    const own = await mkdtemp(join(directory, "beside-"));
    await writeFile(join(own, "a.yaml"), JSON.stringify(flowOf("flow_beside", [ret({})], ["start done"])));
    const test = join(own, "a.test.yaml");
    await writeFile(test, JSON.stringify(testOf("flow_beside", { expect: { output: {} } })));
    expect(await run(test)).toMatchObject({ code: 0, stdout: expect.stringContaining("1 of 1 passed") });
    const none = await run(join(own, "a.yaml"));
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining("no document of the kind FlowTest"),
    ]);
    expect((await run("--jnit")).code).toBe(2);
    expect((await run("--help")).stdout).toContain("Exit codes: 0 all passed");
  });

  it("takes every test of the examples", async () => {
    const examples = fileURLToPath(new URL("../../../../examples", import.meta.url));
    const { code, stdout } = await run(examples);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/(\d+) of \1 passed/) });
  });
});
