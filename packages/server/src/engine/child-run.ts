import type { IdMaker } from "../domain/ids.ts";
import { newRun } from "../domain/new-run.ts";
import { type ClaimedRun, MAX_DEPTH, tooDeep } from "../domain/run.ts";
import type { FlowLibrary } from "../operations/flows/flow-library.ts";
import { toAdmit } from "../storage/runs/admit-runs.ts";
import type { NewWait } from "../storage/runs/begin-waits.ts";
import type { Suspension } from "./nodes/node-type.ts";

type ChildWait = Pick<NewWait, "child" | "isLeft" | "onParentEnd" | "refusal">;

/** The run that a `run-flow` node starts, or why it cannot. */
export async function childRun(
  run: ClaimedRun,
  nodeKey: string,
  { flowId, data, trigger, wait, onParentEnd }: Suspension & { kind: "run-flow" },
  { ids, library }: { readonly ids: IdMaker; readonly library: FlowLibrary },
): Promise<ChildWait> {
  if (run.depth + 1 > MAX_DEPTH) {
    const { name, message } = tooDeep(flowId);
    return refused(name, message);
  }
  const flow = await library.find(flowId);
  if (!flow || flow.organizationId !== run.organizationId)
    return refused("FlowNotFound", `There is no flow ${flowId} in this organization.`);
  const version = await library.checked(flow);
  const [fault] = version.validation.errors;
  if (fault !== undefined) return refused("FlowInvalid", `The flow ${flowId} cannot run: ${fault}`);
  const [need] = version.compiled?.needs ?? [];
  if (need) return refused("FlowInvalid", `The flow ${flowId} cannot run: it needs the input ${need.key}`);
  const child = newRun(ids, flow, version, {
    triggerSource: "subflow",
    depth: run.depth + 1,
    parent: { runId: run.id, nodeKey },
    data,
    trigger,
  });
  return { child: toAdmit(child), isLeft: !wait, onParentEnd };
}

function refused(name: string, message: string): ChildWait {
  return { refusal: { error: { name, message } } };
}
