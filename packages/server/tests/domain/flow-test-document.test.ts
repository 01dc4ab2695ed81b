import { describe, expect, it } from "vitest";
import { faultText } from "../../src/domain/documents/fault.ts";
import { parseSource } from "../../src/domain/documents/parse-source.ts";

describe("a document of the kind FlowTest", () => {
  const faults = (text: string) => parseSource({ file: "a.test.yaml", text }).faults.map(faultText);
  const head = "kind: FlowTest\nid: t\nflowId: flow_a\nname: T\n";

  it("is kept apart from what a service stores", () => {
    const read = parseSource({
      file: "a.yaml",
      text: `${head}expect: { status: FAILED, error: { name: A } }`,
    });
    expect([read.documents.length, read.tests.length, read.faults]).toEqual([0, 1, []]);
    expect(read.tests[0]).toMatchObject({ file: "a.yaml", line: 1, document: { id: "t" } });
  });

  it.each([
    [
      `${head}expect: { outputs: {} }`,
      'a.test.yaml:5:11 expect.outputs: unknown key "outputs"; did you mean "output"?',
    ],
    [
      `${head}answers: { a: { $eror: { name: A } } }\nexpect: {}`,
      'a.test.yaml:5:17 answers.a.$eror: unknown key "$eror"',
    ],
    [`${head}answers: { a: { $error: { nam: A, message: B } } }\nexpect: {}`, "a.test.yaml:5:"],
    [
      `${head}now: tomorrow\nexpect: {}`,
      "a.test.yaml:5:1 now: must be a moment such as 2026-01-31T09:00:00Z",
    ],
    [`${head}expect: { status: PAUSED }`, "a.test.yaml:5:11 expect.status: must be one of COMPLETED, FAILED"],
    [`${head}expect: { calls: { a: -1 } }`, "a.test.yaml:5:20 expect.calls.a: must be at least 0"],
    [
      `${head}expect: { status: FAILED, output: {} }`,
      "a.test.yaml:5:27 expect.output: a run that FAILED has no output",
    ],
    [
      `${head}expect: { error: {} }`,
      "a.test.yaml:5:11 expect.error: only a run with status: FAILED has an error",
    ],
    [head, "a.test.yaml:1:1 expect: is required"],
  ])("is strict, by file and line: %s", (text, fault) => {
    expect(faults(text).join("\n")).toContain(fault);
  });
});
