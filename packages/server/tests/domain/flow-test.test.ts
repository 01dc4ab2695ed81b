import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { describe, expect, it } from "vitest";
import { checkTest } from "../../src/domain/flow-test/check-test.ts";
import { findAnswer, fits } from "../../src/domain/flow-test/find-answer.ts";
import { judgeTest } from "../../src/domain/flow-test/judge-test.ts";
import { inEnglish, say } from "../../src/domain/flow-test/test-texts.ts";
import { inRounds, nodeIdOf } from "../../src/domain/flow-test/node-key.ts";
import type { ReplayCall, ReplayResult } from "../../src/domain/replay.ts";
import { finishSliced } from "../../src/domain/sliced.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";

const graph = {
  nodes: [
    { id: "start", type: "start" },
    { id: "each", type: "for-each" },
    { id: "fetch", type: "http-request", parentId: "each" },
    { id: "ask", type: "approval" },
    { id: "sum", type: "set" },
    { id: "odd", type: "unknown-type" },
  ],
  edges: [
    { source: "start", target: "each" },
    { source: "each", target: "ask" },
    { source: "ask", target: "sum" },
  ],
};
const test = (more: Partial<FlowTestDocument> = {}): FlowTestDocument => ({
  kind: "FlowTest",
  id: "t",
  flowId: "flow_a",
  name: "T",
  expect: {},
  ...more,
});
const call = (more: Partial<ReplayCall> = {}): ReplayCall => ({
  nodeKey: "fetch[3]",
  nodeId: "fetch",
  type: "http-request",
  attempt: 1,
  input: { url: "http://a" },
  ...more,
});

describe("what a test says of its flow", () => {
  const problems = (more: Partial<FlowTestDocument>) =>
    checkTest(test(more), graph, nodeTypes).map(({ path, message }) => `${path.join("/")}: ${message}`);

  it("is found sound where its nodes are there and are asked", () => {
    const answers = {
      fetch: {},
      "fetch[2]": {},
      ask: { decision: "approved" },
    };
    expect(problems({ answers, expect: { path: ["start"], calls: { fetch: 1, ask: 1 } } })).toEqual([]);
    for (const ask of [{ $error: { name: "A", message: "" } }, { $attempts: [] }, { $byInput: [] }])
      expect(problems({ answers: { ask } })).toEqual([]);
  });

  it.each<[Partial<FlowTestDocument>, string]>([
    [{ answers: { fetsh: {} } }, 'answers/fetsh: unknown node "fetsh"; did you mean "fetch"?'],
    [{ answers: { sum: {} } }, 'answers/sum: the node "sum" is executed, so it needs no answer'],
    [{ answers: { odd: {} } }, 'answers/odd: the node "odd" is executed'],
    [{ answers: { ask: { decision: "maybe" } } }, "answers/ask: the answer of an approval needs decision"],
    [{ expect: { path: ["start", "sun"] } }, 'expect/path/1: unknown node "sun"; did you mean "sum"?'],
    [{ expect: { calls: { nobody: 1 } } }, 'expect/calls/nobody: unknown node "nobody"'],
    [{ expect: { calls: { sum: 1 } } }, 'expect/calls/sum: the node "sum" calls nothing'],
  ])("is a fault: %j", (more, fault) => {
    expect(problems(more)[0]).toContain(fault);
  });

  it("are told as far as anybody reads", () => {
    const answers = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`node${index}`, {}]));
    expect(problems({ answers })).toHaveLength(20);
  });
});

const answerTo = (...args: Parameters<typeof findAnswer>) => finishSliced(findAnswer(...args));
const judge = (tested: FlowTestDocument, result: ReplayResult) =>
  finishSliced(judgeTest(tested, graph, result));

describe("the answer to a call", () => {
  it("is that of its round, then that of its node", () => {
    expect(answerTo({ fetch: { a: 1 }, "fetch[3]": { a: 2 } }, call())).toEqual({ output: { a: 2 } });
    expect(answerTo({ fetch: { a: 1 } }, call())).toEqual({ output: { a: 1 } });
    expect(answerTo({ ask: {} }, call())).toBeUndefined();
    expect(answerTo(undefined, call())).toBeUndefined();
    expect(answerTo({}, call({ nodeKey: "constructor", nodeId: "constructor" }))).toBeUndefined();
  });

  it("may be a failure, one by attempt, or one by input", () => {
    const $error = { name: "HttpTimeout", message: "late" };
    expect(answerTo({ fetch: { $error } }, call())).toEqual({ error: $error });
    const attempts = { fetch: { $attempts: [{ $error }, { a: 1 }] } };
    expect([1, 2, 3].map((attempt) => answerTo(attempts, call({ attempt })))).toEqual([
      { error: $error },
      { output: { a: 1 } },
      { output: { a: 1 } },
    ]);
    const byInput = {
      fetch: {
        $byInput: [
          { input: { url: "http://b" }, answer: {} },
          { input: { url: "http://a" }, answer: { a: 3 } },
        ],
      },
    };
    expect(answerTo(byInput, call())).toEqual({ output: { a: 3 } });
    expect(answerTo(byInput, call({ input: { url: "http://c" } }))).toBeUndefined();
    expect(finishSliced(fits({}, { a: 1 }))).toBe(true);
  });
});

describe("the judgement of a run", () => {
  const result = (more: Partial<ReplayResult> = {}): ReplayResult => ({
    status: "COMPLETED",
    output: { a: 1 },
    path: [
      { nodeKey: "start", nodeId: "start" },
      { nodeKey: "each", nodeId: "each" },
      { nodeKey: "fetch[0]", nodeId: "fetch" },
      { nodeKey: "fetch[1]", nodeId: "fetch" },
      { nodeKey: "ask", nodeId: "ask" },
      { nodeKey: "sum", nodeId: "sum" },
    ],
    nodes: [],
    calls: [
      call({ nodeKey: "fetch[0]", input: { url: "http://a", method: "GET" } }),
      call({ nodeKey: "fetch[1]", input: { url: "http://b", method: "GET" } }),
    ],
    endedAtMs: 0,
    ...more,
  });
  const failures = (expectation: FlowTestDocument["expect"], more?: Partial<ReplayResult>) =>
    judge(test({ expect: expectation }), result(more)).map(({ what, message, differences: found = [] }) =>
      [`${what}: ${message}`, ...found].join("\n"),
    );
  const failed = { status: "FAILED", error: { name: "A", message: "b", nodeId: "ask" } } as const;

  it("is that all is as expected", () => {
    expect(
      failures({
        status: "COMPLETED",
        output: { a: 1 },
        path: ["start", "each", "fetch", "ask", "sum"],
        calls: { fetch: [{ url: "http://a" }, { url: "http://b" }], "fetch[1]": 1, ask: 0 },
      }),
    ).toEqual([]);
    expect(failures({ status: "FAILED", error: { name: "A", nodeId: "ask" } }, failed)).toEqual([]);
  });

  it.each<[FlowTestDocument["expect"], Partial<ReplayResult> | undefined, string]>([
    [{}, failed, 'status: expected COMPLETED, got FAILED: b (node "ask", A)'],
    [{ status: "FAILED" }, undefined, "status: expected FAILED, got COMPLETED"],
    [{ output: { a: 2 } }, undefined, "output: the output differs\na: expected 2, got 1"],
    [
      { status: "FAILED", error: { message: "c" } },
      failed,
      'error: the error differs\nmessage: expected "c", got "b"',
    ],
    [
      { path: ["start", "ask", "each", "fetch", "sum"] },
      undefined,
      '"ask" is listed before "each", which leads to it',
    ],
    [{ path: ["start", "each", "ask", "sum"] }, undefined, '"fetch" began and was not expected'],
    [
      { path: ["start", "each", "fetch", "ask", "sum", "odd"] },
      undefined,
      '"odd" was expected and did not begin',
    ],
    [{ path: ["start", "each", "fetch", "ask", "sum", "sum"] }, undefined, '"sum" is listed twice'],
    [{ path: ["fetch", "start", "each", "ask", "sum"] }, undefined, '"fetch" is listed before "each"'],
    [{ calls: { fetch: 1 } }, undefined, '"fetch" was expected to be called once, and was called 2 times'],
    [{ calls: { fetch: [] } }, undefined, '"fetch" was expected to be called never'],
    [
      { calls: { "fetch[0]": [{ url: "http://b" }] } },
      undefined,
      'call 1, url: expected "http://b", got "http://a"',
    ],
  ])("says what is not: %j", (expectation, more, text) => {
    expect(failures(expectation, more).join("\n")).toContain(text);
  });

  it("says the same without words, for those who have others", () => {
    const judged = judge(test({ expect: { calls: { "fetch[0]": [{ url: "b" }], fetch: 1 } } }), result());
    expect(judged.map(({ words, places }) => [words, ...(places ?? [])])).toEqual([
      [
        { code: "call-inputs", values: { node: "fetch[0]" } },
        {
          code: "call-value",
          values: { number: "1", path: "url", expected: '"b"', actual: '"http://a"' },
        },
      ],
      [
        { code: "call-count", values: { node: "fetch", expected: "1", actual: "2" } },
        { code: "call", values: { node: "fetch[0]", input: expect.stringContaining("http://a") } },
        { code: "call", values: { node: "fetch[1]", input: expect.stringContaining("http://b") } },
      ],
    ]);
  });

  it("says what to add where an answer is missing, and nothing else", () => {
    expect(failures({ output: { a: 3 } }, { status: "UNANSWERED", unanswered: call() })).toEqual([
      expect.stringContaining(
        "answers: { fetch: { … its output … } }\nanswers.fetch[3], or fetch for every round is missing",
      ),
    ]);
    const ask = call({ nodeKey: "ask", nodeId: "ask", type: "approval" });
    expect(failures({}, { status: "UNANSWERED", unanswered: ask })[0]).toContain(
      "answers: { ask: { decision: approved } }",
    );
  });
});

it("a node key names its node", () => {
  expect(["fetch", "fetch[3]", "inner[2].fetch[3]"].map(nodeIdOf)).toEqual(["fetch", "fetch", "fetch"]);
});

it("a test that cannot be run says why", () => {
  expect(
    [say("no-fit"), say("flow", { flow: "flow_a" }), say("fault", { text: "data.a is required" })].map(
      inEnglish,
    ),
  ).toEqual(["the test does not fit the flow", "the flow flow_a cannot run like this", "data.a is required"]);
});

it("calls stand in the order of their rounds and attempts, however they were made", () => {
  const calls = ["b[10].a[0] 1", "b[2].a[1] 1", "b[2].a[0] 2", "b[2].a[0] 1", "b[2].a[0] 1"].map((text) => {
    const [nodeKey = "", attempt] = text.split(" ");
    return { nodeKey, attempt: Number(attempt) };
  });
  expect(inRounds(calls).map(({ nodeKey, attempt }) => `${nodeKey} ${attempt}`)).toEqual([
    "b[2].a[0] 1",
    "b[2].a[0] 1",
    "b[2].a[0] 2",
    "b[2].a[1] 1",
    "b[10].a[0] 1",
  ]);
});
