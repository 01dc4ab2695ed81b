import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import type { DraftTested } from "@millrace/contract/manage/replays";
import { pathText } from "../../domain/documents/fault.ts";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import { checkTest } from "../../domain/flow-test/check-test.ts";
import { failure, say } from "../../domain/flow-test/test-texts.ts";
import type { ReplayDesk } from "../backtest/replay-desk.ts";
import { prepareFlow, runFlowTest, type TestedFlow, type TestOutcome } from "./run-flow-test.ts";

export interface RunTestsContext {
  readonly catalogue: NodeCatalogue;
  readonly replays: ReplayDesk;
}

/** For all tests together. */
const MAX_MS = 30_000;

/** Runs tests on a flow, one after the other; nothing is called. */
export async function runTests(
  { catalogue, replays }: RunTestsContext,
  tested: TestedFlow,
  tests: readonly FlowTestDocument[],
): Promise<DraftTested> {
  return replays.take(tested.organizationId, async (replay) => {
    const context = { replay, catalogue };
    const flow = await prepareFlow(context, tested);
    const signal = AbortSignal.timeout(MAX_MS);
    const done: DraftTested["tests"] = [];
    for (const test of tests) {
      const problems = checkTest(test, tested.graph, catalogue);
      const { passed, failures } =
        problems.length === 0 ? await runFlowTest(context, flow, test, signal) : faulty(problems);
      done.push({ id: test.id, name: test.name, passed, failures });
    }
    const passed = done.filter((one) => one.passed).length;
    return { passed, failed: done.length - passed, tests: done };
  });
}

function faulty(problems: ReturnType<typeof checkTest>): TestOutcome {
  const places = problems.map(({ path, message }) => say("fault", { text: `${pathText(path)}: ${message}` }));
  return { passed: false, failures: [failure("flow", say("no-fit"), places)] };
}
