import type { IdMaker } from "../domain/ids.ts";
import { newRun } from "../domain/new-run.ts";
import type { ClaimedRun } from "../domain/run.ts";
import type { FlowLibrary } from "../operations/flows/flow-library.ts";
import { inputIssues, issueText } from "../operations/runs/require-input.ts";
import { toAdmit } from "../storage/runs/admit-runs.ts";
import type { NewWait } from "../storage/runs/begin-waits.ts";
import { checkChild, refusedInput } from "./check-child.ts";
import type { Suspension } from "./nodes/node-type.ts";

type ChildWait = Pick<NewWait, "child" | "isLeft" | "onParentEnd" | "refusal">;

/** The run that a `run-flow` node starts, or why it cannot. */
export async function childRun(
  run: ClaimedRun,
  nodeKey: string,
  { flowId, data, trigger, wait, onParentEnd }: Suspension & { kind: "run-flow" },
  { ids, library }: { readonly ids: IdMaker; readonly library: FlowLibrary },
): Promise<ChildWait> {
  const depth = run.depth + 1;
  const flow = await library.find(flowId);
  const version = flow?.organizationId === run.organizationId ? await library.checked(flow) : undefined;
  const checked = checkChild(
    { flowId, depth, where: "in this organization" },
    flow && version && { ...version, flow },
  );
  if (checked.error) return { refusal: checked };
  const { organizationId } = run;
  const [issue] = await inputIssues({
    organizationId,
    flowId,
    version: checked.found,
    body: trigger?.["body"],
  });
  if (issue) return { refusal: refusedInput(flowId, issueText(issue)) };
  const child = newRun(ids, checked.found.flow, checked.found, {
    triggerSource: "subflow",
    depth,
    parent: { runId: run.id, nodeKey },
    data,
    trigger,
  });
  return { child: toAdmit(child), isLeft: !wait, onParentEnd };
}
