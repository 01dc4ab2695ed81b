import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { MAX_TESTS } from "@millrace/contract/manage/replays";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import { deleteFlowTest } from "../../storage/flow-tests/delete-flow-test.ts";
import { listFlowTests } from "../../storage/flow-tests/list-flow-tests.ts";
import { putFlowTest } from "../../storage/flow-tests/put-flow-test.ts";
import type { ApplyContext } from "./apply-context.ts";
import type { Findings } from "./findings.ts";
import type { AppliedDocument } from "./put-documents.ts";

type PlacedTest = PlacedDocument<FlowTestDocument>;

/** Two tests of a flow cannot have one id, and there is an end to how many it has. */
export function checkTests(tests: readonly PlacedTest[], findings: Findings): void {
  const seen = new Map<string, PlacedTest>();
  const counts = new Map<string, number>();
  for (const placed of tests) {
    const { id, flowId } = placed.document;
    const key = `${flowId}/${id}`;
    const earlier = seen.get(key);
    if (earlier) {
      const message = `FlowTest "${id}" is already described in ${earlier.file}:${earlier.line}`;
      findings.add(placed, { path: ["id"], message });
    } else seen.set(key, placed);
    const count = (counts.get(flowId) ?? 0) + 1;
    counts.set(flowId, count);
    if (count === MAX_TESTS + 1)
      findings.add(placed, { path: ["flowId"], message: `a flow has at most ${MAX_TESTS} tests` });
  }
}

/** Tests are kept with the flow that comes with them; those of other flows stay in their files. */
export async function putTests(
  { db, author }: ApplyContext,
  documents: readonly PlacedDocument[],
  tests: readonly PlacedTest[],
  prune: boolean,
): Promise<AppliedDocument[]> {
  const applied: AppliedDocument[] = [];
  for (const { document: flow } of documents) {
    if (flow.kind !== "Flow") continue;
    const { id: flowId, organizationId } = flow;
    const own = tests.map(({ document }) => document).filter((test) => test.flowId === flowId);
    for (const document of own) {
      const action = await putFlowTest(db, { organizationId, document, author });
      applied.push({ action, kind: "FlowTest", id: document.id, organizationId });
    }
    if (!prune) continue;
    const described = new Set(own.map(({ id }) => id));
    for (const { id } of await listFlowTests(db, organizationId, flowId)) {
      if (described.has(id)) continue;
      await deleteFlowTest(db, organizationId, flowId, id);
      applied.push({ action: "removed", kind: "FlowTest", id, organizationId });
    }
  }
  return applied;
}
