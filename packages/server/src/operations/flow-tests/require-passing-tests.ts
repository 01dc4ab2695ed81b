import { Refusal } from "../../domain/refusal.ts";
import { listFlowTests } from "../../storage/flow-tests/list-flow-tests.ts";
import type { Db } from "../../storage/pool.ts";
import type { VersionContent } from "../manage-flows/check-graph.ts";
import { runTests, type RunTestsContext } from "./run-tests.ts";

const MAX_NAMED = 5;

/** @throws Refusal where the flow has no stored tests, or one of them fails on this */
export async function requirePassingTests(
  context: RunTestsContext & { readonly db: Db },
  { organizationId, id: flowId }: { readonly organizationId: string; readonly id: string },
  { graph, settings }: VersionContent,
): Promise<void> {
  const stored = await listFlowTests(context.db, organizationId, flowId);
  if (stored.length === 0) throw new Refusal("tests_missing", { messageParams: { flowId } });
  const tests = stored.map(({ document }) => document);
  const { failed, tests: done } = await runTests(
    context,
    { ...settings, id: flowId, organizationId, graph },
    tests,
  );
  if (failed === 0) return;
  const failing = done.filter(({ passed }) => !passed);
  const named = failing.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = failing.length > MAX_NAMED ? " …" : "";
  throw new Refusal("tests_failed", {
    messageParams: { flowId, tests: named.join(", ") + more },
    data: { tests: failing },
  });
}
