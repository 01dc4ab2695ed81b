import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import { assembleFlow } from "../../domain/flow/compile.ts";
import { settingsOf } from "../../domain/flow/flow-settings.ts";
import { overrideInputs, unmetNeeds } from "../../domain/flow/overrides.ts";
import { checkFlow, type CheckedFlow } from "../../domain/flow/validate.ts";
import { findAnswer } from "../../domain/flow-test/find-answer.ts";
import { judgeTest } from "../../domain/flow-test/judge-test.ts";
import { failure, say, type TestFailure } from "../../domain/flow-test/test-texts.ts";
import type { Replay, ReplayResult } from "../../domain/replay.ts";
import { inputIssues, issueText } from "../runs/require-input.ts";
import { inSlices } from "../flows/in-slices.ts";

/** What is now where a test does not say. */
const DEFAULT_NOW = "2026-01-01T00:00:00Z";

export interface TestContext {
  readonly replay: Replay;
  readonly catalogue: NodeCatalogue;
}

export interface TestOutcome {
  readonly passed: boolean;
  readonly failures: TestFailure[];
  /** What the run did, where there was one. */
  readonly result?: ReplayResult;
}

export type TestedFlow = Pick<FlowDocument, "id" | "organizationId" | "graph" | "input">;

/** A flow that was read for its tests; its errors keep all of them from running. */
export interface FlowUnderTest {
  readonly flow: TestedFlow;
  readonly checked: CheckedFlow;
}

/** Credentials, agents and other flows need not be there: nothing of them is used. */
export async function prepareFlow({ catalogue }: TestContext, flow: TestedFlow): Promise<FlowUnderTest> {
  const { id: flowId, organizationId, graph } = flow;
  const reading = checkFlow(graph, catalogue, settingsOf(flow as FlowDocument));
  return { flow, checked: await inSlices({ organizationId, flowId }, reading) };
}

/** Runs a flow in its own time with the answers of a test, and says what came out otherwise than expected. */
export async function runFlowTest(
  { replay, catalogue }: TestContext,
  { flow, checked }: FlowUnderTest,
  test: FlowTestDocument,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const { id: flowId, graph, organizationId } = flow;
  const refused = (faults: readonly string[]): TestOutcome => ({
    passed: false,
    failures: [
      failure(
        "flow",
        say("flow", { flow: flowId }),
        faults.map((text) => say("fault", { text })),
      ),
    ],
  });
  const errors = [...checked.errors, ...checked.newErrors];
  if (errors.length > 0) return refused(errors);
  const assembling = assembleFlow(graph, catalogue, checked);
  const compiled = await inSlices({ organizationId, flowId }, assembling);
  const { overrides, issues, warnings } = overrideInputs(compiled, test.inputs ?? {});
  const unmet = unmetNeeds(compiled.needs, overrides);
  const faults = [
    ...issues.map(({ path, message }) => `inputs.${path[2]}: ${message}`),
    ...warnings,
    ...unmet.map(({ key }) => `inputs.${key}: is required and empty`),
  ];
  const version = { input: checked.input, compiled };
  const body = test.trigger?.body;
  faults.push(...(await inputIssues({ organizationId, flowId, version, overrides, body })).map(issueText));
  if (faults.length > 0) return refused(faults);
  const result = await replay({
    flow: compiled,
    run: { id: `run_${test.id}`, attempt: 1, flowId, organizationId },
    trigger: test.trigger,
    data: test.data ?? {},
    vars: test.vars,
    overrides,
    startedAtMs: Date.parse(test.now ?? DEFAULT_NOW),
    signal,
    answer: (call) => findAnswer(test.answers, call),
  });
  const failures = await inSlices({ organizationId, flowId }, judgeTest(test, graph, result));
  return { passed: failures.length === 0, failures, result };
}
