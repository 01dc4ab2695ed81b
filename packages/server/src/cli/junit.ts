import type { TestReport } from "../operations/flow-tests/run-test-files.ts";

/** What build servers read: a suite for each flow, a case for each test. */
export function junitXml(reports: readonly TestReport[]): string {
  const suites = Map.groupBy(reports, ({ flowId }) => flowId);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${counts(reports)}>`,
    ...Array.from(suites, ([flowId, tests]) => suiteXml(flowId, tests)),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteXml(flowId: string, tests: readonly TestReport[]): string {
  const cases = tests.map(caseXml).join("\n");
  return `  <testsuite name="${escape(flowId)}"${counts(tests)}>\n${cases}\n  </testsuite>`;
}

function counts(tests: readonly TestReport[]): string {
  const failures = tests.filter(({ passed }) => !passed).length;
  return ` tests="${tests.length}" failures="${failures}" errors="0" time="${seconds(tests)}"`;
}

function caseXml(test: TestReport): string {
  const { name, flowId, file, line, failures } = test;
  const head = `    <testcase classname="${escape(flowId)}" name="${escape(name)}" file="${escape(file)}" line="${line}" time="${seconds([test])}"`;
  const [first] = failures;
  if (first === undefined) return `${head}/>`;
  const lines = failures.flatMap(({ what, message, differences = [] }) => [
    `${what}: ${message}`,
    ...differences.map((text) => `  ${text}`),
  ]);
  const text = [`${file}:${line}`, ...lines].join("\n");
  return `${head}>\n      <failure message="${escape(first.message)}" type="${first.what}">${escape(text)}</failure>\n    </testcase>`;
}

function seconds(tests: readonly TestReport[]): string {
  return (tests.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000).toFixed(3);
}

const MARKS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};
// XML 1.0 cannot hold them, not even escaped.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escape(text: string): string {
  return text
    .toWellFormed()
    .replace(CONTROL, "\ufffd")
    .replace(/[&<>"\n]/g, (mark) => MARKS[mark]!);
}
