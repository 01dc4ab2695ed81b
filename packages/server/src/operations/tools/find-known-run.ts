import { idempotencyOf } from "../../domain/new-run.ts";
import { type Principal, reaches } from "../../domain/principal.ts";
import { findReplay, type StartContext } from "../runs/start-run.ts";

/** The run that was started for this key before; undefined where there is none that the caller reaches. */
export async function findKnownRun(
  context: Pick<StartContext, "db" | "library">,
  principal: Principal,
  flowId: string,
  key: string,
): Promise<string | undefined> {
  const flow = await context.library.find(flowId);
  if (!flow || !reaches(principal, flow.organizationId)) return undefined;
  return (await findReplay(context, flow.organizationId, idempotencyOf("api", flowId, key)))?.runId;
}
