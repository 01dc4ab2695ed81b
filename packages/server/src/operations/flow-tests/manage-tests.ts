import { MAX_TESTS, type PutTestBody } from "@millrace/contract/manage/replays";
import { checkValues } from "../../domain/documents/check-values.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { deleteFlowTest } from "../../storage/flow-tests/delete-flow-test.ts";
import { type FlowTestRow, listFlowTests } from "../../storage/flow-tests/list-flow-tests.ts";
import { putFlowTest } from "../../storage/flow-tests/put-flow-test.ts";
import { type Db, transaction } from "../../storage/pool.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Caller, FlowContext } from "../manage-flows/flow-context.ts";
import { managedFlow } from "../manage-flows/managed-flow.ts";

/** Tests hold values of runs, so viewers do not see them. */
export async function listTests(
  { db }: { readonly db: Db },
  principal: Principal | undefined,
  flowId: string,
): Promise<FlowTestRow[]> {
  const { organizationId } = await managedFlow(db, principal, flowId, "member");
  return listFlowTests(db, organizationId, flowId);
}

/** Stores a test with its flow, in the place of one with the same id. */
export async function putTest(
  { pool, ids }: Pick<FlowContext, "pool" | "ids">,
  { principal, actor }: Caller,
  { flowId, testId }: { readonly flowId: string; readonly testId: string },
  { document }: PutTestBody,
): Promise<FlowTestRow> {
  const { organizationId } = await managedFlow(pool, principal, flowId, "admin");
  const other = document.id !== testId ? "id" : document.flowId !== flowId ? "flowId" : undefined;
  if (other !== undefined) throw refused(["document", other], "must be as in the address");
  const [problem] = checkValues(document);
  if (problem) throw refused(["document", ...problem.path.map(String)], problem.message);
  return transaction(pool, async (db) => {
    const outcome = await putFlowTest(db, { organizationId, document, author: actor.userId });
    const stored = await listFlowTests(db, organizationId, flowId);
    if (stored.length > MAX_TESTS)
      throw refused(["document"], `the flow has ${MAX_TESTS} tests already; remove one`);
    if (outcome !== "unchanged")
      await recordAudit({ db, ids }, actor, {
        organizationId,
        action: "flow.save-test",
        target: flowId,
        after: { test: testId },
      });
    return stored.find(({ id }) => id === testId)!;
  });
}

export async function removeTest(
  { pool, ids }: Pick<FlowContext, "pool" | "ids">,
  { principal, actor }: Caller,
  { flowId, testId }: { readonly flowId: string; readonly testId: string },
): Promise<void> {
  const { organizationId } = await managedFlow(pool, principal, flowId, "admin");
  await transaction(pool, async (db) => {
    if (!(await deleteFlowTest(db, organizationId, flowId, testId)))
      throw new Refusal("test_not_found", { messageParams: { flowId, testId } });
    const change = { organizationId, action: "flow.remove-test", target: flowId };
    await recordAudit({ db, ids }, actor, { ...change, before: { test: testId } });
  });
}

function refused(path: string[], message: string): Refusal {
  return new Refusal("invalid_request_body", { issues: [{ path, message }] });
}
