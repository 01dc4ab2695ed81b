import type { DraftTested, TestDraftBody } from "@millrace/contract/manage/replays";
import { checkTest } from "../../domain/flow-test/check-test.ts";
import { pathText } from "../../domain/documents/fault.ts";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import type { Principal } from "../../domain/principal.ts";
import { findDraft } from "../../storage/flows/find-draft.ts";
import { findFlowGraph } from "../../storage/flows/find-flow-graph.ts";
import { findFlowSettings } from "../../storage/flows/find-flow-settings.ts";
import type { Db } from "../../storage/pool.ts";
import type { ReplayDesk } from "../backtest/replay-desk.ts";
import { managedFlow } from "../manage-flows/managed-flow.ts";
import { prepareFlow, runFlowTest } from "./run-flow-test.ts";

export interface TestDraftContext {
  readonly db: Db;
  readonly catalogue: NodeCatalogue;
  readonly replays: ReplayDesk;
}

/** For all tests together. */
const MAX_MS = 30_000;

/** Runs tests on the draft of a flow, or on a graph in its place. */
export async function testDraft(
  { db, catalogue, replays }: TestDraftContext,
  principal: Principal,
  flowId: string,
  { tests, graph: given }: TestDraftBody,
): Promise<DraftTested> {
  const { organizationId, version } = await managedFlow(db, principal, flowId, "member");
  const settings = version === null ? {} : await findFlowSettings(db, organizationId, flowId, version);
  const graph = given ??
    (await findDraft(db, organizationId, flowId))?.graph ??
    (version === null ? undefined : await findFlowGraph(db, organizationId, flowId, version)) ?? {
      nodes: [],
      edges: [],
    };
  return replays.take(organizationId, async (replay) => {
    const context = { replay, catalogue };
    const flow = await prepareFlow(context, { ...settings, id: flowId, organizationId, graph });
    const signal = AbortSignal.timeout(MAX_MS);
    const done: DraftTested["tests"] = [];
    for (const test of tests) {
      const problems = checkTest(test, graph, catalogue);
      const { passed, failures } =
        problems.length === 0 ? await runFlowTest(context, flow, test, signal) : faulty(problems);
      const listed = failures.map(({ differences, ...failure }) => ({
        ...failure,
        ...(differences && { differences: [...differences] }),
      }));
      done.push({ id: test.id, name: test.name, passed, failures: listed });
    }
    const passed = done.filter((one) => one.passed).length;
    return { passed, failed: done.length - passed, tests: done };
  });
}

function faulty(problems: ReturnType<typeof checkTest>) {
  const differences = problems.map(({ path, message }) => `${pathText(path)}: ${message}`);
  return {
    passed: false,
    failures: [{ what: "flow" as const, message: "the test does not fit the flow", differences }],
  };
}
