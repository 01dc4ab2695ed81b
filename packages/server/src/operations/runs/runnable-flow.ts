import type { FlowRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { FlowLibrary, FlowVersion } from "../flows/flow-library.ts";

type RunnableVersion = FlowVersion & { readonly compiled: NonNullable<FlowVersion["compiled"]> };

/** The flow, checked; refused where it is not the organization's or would not run. */
export async function runnableFlow(
  library: FlowLibrary,
  organizationId: string,
  flowId: string,
): Promise<{ flow: FlowRecord; version: RunnableVersion }> {
  const flow = await library.find(flowId);
  if (!flow || flow.organizationId !== organizationId) {
    throw new Refusal("flow_not_found", { messageParams: { flowId, organizationId } });
  }
  return { flow, version: await checkedVersion(library, flow) };
}

export async function checkedVersion(library: FlowLibrary, flow: FlowRecord): Promise<RunnableVersion> {
  const { compiled, ...version } = await library.checked(flow);
  if (!compiled) {
    const { errors, warnings } = version.validation;
    throw new Refusal("flow_validation_failed", { validationErrors: errors, validationWarnings: warnings });
  }
  return { ...version, compiled };
}
