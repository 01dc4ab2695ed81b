import { driveSliced, type Sliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { duringEach, labelOf } from "../../lifecycle/under-way.ts";

/** Work on a flow that may be long: it gives way to others, and is named where it stands still. */
export function inSlices<Result>(
  flow: { readonly organizationId: string; readonly flowId: string },
  work: Sliced<Result>,
): Result | Promise<Result> {
  const label = labelOf({ kind: "flow", ...flow });
  return driveSliced(duringEach(label, "", work), () => eventLoop.giveWay(flow.organizationId));
}
