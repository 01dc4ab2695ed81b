import type { DraftTested, TestDraftBody } from "@millrace/contract/manage/replays";
import type { Principal } from "../../domain/principal.ts";
import { listFlowTests } from "../../storage/flow-tests/list-flow-tests.ts";
import type { Db } from "../../storage/pool.ts";
import { readDraft } from "../manage-flows/draft.ts";
import { managedFlow } from "../manage-flows/managed-flow.ts";
import { runTests, type RunTestsContext } from "./run-tests.ts";

/** Runs tests, or those that are stored with the flow, on its draft, or on a graph in its place. */
export async function testDraft(
  context: RunTestsContext & { readonly db: Db },
  principal: Principal,
  flowId: string,
  { tests: given, graph }: TestDraftBody,
): Promise<DraftTested> {
  const { db } = context;
  const flow = await managedFlow(db, principal, flowId, "member");
  const { organizationId } = flow;
  const draft = await readDraft(db, flow);
  const tests = given ?? (await listFlowTests(db, organizationId, flowId)).map(({ document }) => document);
  const tested = { ...draft.settings, id: flowId, organizationId, graph: graph ?? draft.graph };
  return runTests(context, tested, tests);
}
