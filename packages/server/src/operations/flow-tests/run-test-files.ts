import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { unknownName } from "@millrace/contract/documents/nearest-name";
import { checkTest } from "../../domain/flow-test/check-test.ts";
import type { TestFailure } from "../../domain/flow-test/test-texts.ts";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import { Findings } from "../apply-documents/findings.ts";
import { findTests } from "./find-tests.ts";
import { type FlowUnderTest, prepareFlow, runFlowTest, type TestContext } from "./run-flow-test.ts";

const MAX_AT_ONCE = 8;

export interface TestReport {
  readonly id: string;
  readonly name: string;
  readonly flowId: string;
  readonly file: string;
  readonly line: number;
  readonly passed: boolean;
  readonly failures: readonly Omit<TestFailure, "words" | "places">[];
  readonly durationMs: number;
}

/** Runs every test of these files, several at a time, and tells of each in the order of the files. */
export async function runTestFiles(
  context: TestContext,
  { paths, signal }: { readonly paths: readonly string[]; readonly signal: AbortSignal },
): Promise<TestReport[]> {
  const { tests, flows } = await findTests(paths);
  await requireSound(context, tests, flows);
  const prepared = new Map<string, Promise<FlowUnderTest>>();
  const flowOf = ({ flowId }: FlowTestDocument) => {
    const known = prepared.get(flowId) ?? prepareFlow(context, flows.get(flowId)!);
    prepared.set(flowId, known);
    return known;
  };
  const reports: TestReport[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < tests.length; index = next++) {
      signal.throwIfAborted();
      const { document, file, line } = tests[index]!;
      const { id, name, flowId } = document;
      const flow = await flowOf(document);
      const startedAt = performance.now();
      const outcome = await runFlowTest(context, flow, document, signal);
      const failures = outcome.failures.map(({ words: _words, places: _places, ...said }) => said);
      const durationMs = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
      reports[index] = { id, name, flowId, file, line, passed: outcome.passed, failures, durationMs };
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, tests.length) }, lane));
  signal.throwIfAborted();
  return reports;
}

/** @throws DocumentFaults where a test names what is not there, by file and line */
async function requireSound(
  { catalogue }: TestContext,
  tests: readonly PlacedDocument<FlowTestDocument>[],
  flows: ReadonlyMap<string, FlowDocument>,
): Promise<void> {
  const findings = new Findings([]);
  const seen = new Map<string, PlacedDocument<FlowTestDocument>>();
  for (const placed of tests) {
    const { id, flowId } = placed.document;
    const earlier = seen.get(id);
    seen.set(id, placed);
    if (earlier) {
      const message = `FlowTest "${id}" is already described in ${earlier.file}:${earlier.line}`;
      findings.add(placed, { path: ["id"], message });
    }
    const flow = flows.get(flowId);
    if (flow)
      for (const problem of checkTest(placed.document, flow.graph, catalogue)) findings.add(placed, problem);
    else {
      const message = `${unknownName("flow", flowId, [...flows.keys()])}; it is looked for in these files and beside the test`;
      findings.add(placed, { path: ["flowId"], message });
    }
  }
  await findings.throwAny();
}
