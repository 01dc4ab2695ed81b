import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { runTestFiles, type TestReport } from "../operations/flow-tests/run-test-files.ts";
import { addCommand, type CliDependencies } from "./cli.ts";
import { junitXml } from "./junit.ts";
import { durationText, oneLine, plain } from "./texts.ts";

interface TestFlags {
  readonly junit?: string;
  readonly json?: boolean;
}

export function registerFlowsTest(flows: Command, dependencies: CliDependencies): void {
  addCommand(
    flows,
    "test [paths...]",
    "run the tests of flows (documents of the kind FlowTest), without a service; nothing leaves this machine",
    `flows test examples/order
  $ millrace flows test                                 # every *.test.yaml below this directory
  $ millrace flows test flows/ --junit report.xml       # for a build server

Exit codes: 0 all passed, 1 a test failed or a document is faulty, 2 the command line was not understood.
A test is a document beside its flow:
  kind: FlowTest
  id: order-small
  flowId: flow_order
  name: A small order is charged at once
  trigger: { body: { email: ada@example.com, lines: [{ sku: mug, price: 12, quantity: 2 }] } }
  answers: { charge: { status: 200, body: { id: ch_1 } }, mail: { messageId: m1 } }
  expect: { output: { charged: true, total: 24, chargeId: ch_1 }, calls: { charge: 1 } }`,
  )
    .option("--junit <file>", "also write a JUnit report")
    .action((paths: string[], flags: TestFlags) => test(dependencies, paths, flags));
}

async function test(
  { catalogue, withReplay, interruption, stdout }: CliDependencies,
  paths: readonly string[],
  { junit, json }: TestFlags,
): Promise<void> {
  const signal = interruption();
  const startedAt = performance.now();
  const reports = await withReplay((replay) => runTestFiles({ replay, catalogue }, { paths, signal }));
  const durationMs = performance.now() - startedAt;
  if (junit !== undefined) await writeFile(junit, junitXml(reports));
  const failed = reports.filter(({ passed }) => !passed).length;
  if (json)
    stdout(JSON.stringify({ tests: reports.length, passed: reports.length - failed, failed, data: reports }));
  else {
    for (const report of reports) show(report, stdout);
    stdout(`${reports.length - failed} of ${reports.length} passed in ${durationText(durationMs)}`);
  }
  if (failed > 0) throw new Error(`${failed} of ${reports.length} tests failed.`);
}

function show(
  { name, flowId, file, line, passed, failures, durationMs }: TestReport,
  stdout: (text: string) => void,
) {
  const place = passed ? durationText(durationMs) : `${file}:${line}`;
  stdout(`${passed ? "ok    " : "FAILED"} ${plain(flowId)}: ${oneLine(name, 200)} (${place})`);
  for (const { what, message, differences = [] } of failures) {
    stdout(`       ${what}: ${oneLine(message, 1_000)}`);
    for (const text of differences) stdout(`         ${oneLine(text, 1_000)}`);
  }
}
