import { triggerBody } from "@millrace/contract/trigger";
import type { Principal } from "../../domain/principal.ts";
import { triggerRun } from "../runs/trigger-run.ts";
import type { RunStart, StartContext } from "../runs/start-run.ts";
import type { FlowTool } from "./flow-tools.ts";

export interface ToolCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The same call once more is answered with the same run. */
  readonly key: string | undefined;
}

/** Runs of tools can be told apart in every list. */
const TAGS = ["mcp"];

/** Starts the flow of a tool as `POST /api/runs` would: the arguments are the trigger's body. */
export function startToolRun(
  context: StartContext,
  principal: Principal,
  { flow, bodyOf }: FlowTool,
  call: ToolCall,
): Promise<RunStart> {
  const { organizationId, id: flowId } = flow;
  const trigger = { body: bodyOf(call.arguments) };
  const body = triggerBody.parse({ payload: { organizationId, flowId, trigger }, tags: TAGS });
  return triggerRun(context, principal, {
    ...body,
    ...(call.key !== undefined && { idempotencyKey: call.key }),
  });
}
