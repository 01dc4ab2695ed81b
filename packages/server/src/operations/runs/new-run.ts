import { creditsToReserve } from "../../domain/credits.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { NewRun } from "../../storage/runs/admit-runs.ts";
import type { FlowLibrary, FlowVersion } from "../flows/flow-library.ts";

const DEFAULT_MAX_DURATION_MS = 3_600_000;

/** The flow, checked; refused where it is not the organization's or would not run. */
export async function runnableFlow(
  library: FlowLibrary,
  organizationId: string,
  flowId: string,
): Promise<{ flow: FlowRecord; version: FlowVersion & { compiled: NonNullable<FlowVersion["compiled"]> } }> {
  const flow = await library.find(flowId);
  if (!flow || flow.organizationId !== organizationId) {
    throw new Refusal("flow_not_found", { messageParams: { flowId, organizationId } });
  }
  return { flow, version: await checkedVersion(library, flow) };
}

export async function checkedVersion(library: FlowLibrary, flow: FlowRecord) {
  const { compiled, ...version } = await library.checked(flow);
  if (!compiled) {
    const { errors, warnings } = version.validation;
    throw new Refusal("flow_validation_failed", { validationErrors: errors, validationWarnings: warnings });
  }
  return { ...version, compiled };
}

/** A run of this flow version with what every trigger may leave out. */
export function newRun(
  ids: IdMaker,
  flow: FlowRecord,
  { nodeCount }: FlowVersion,
  trigger: Pick<NewRun, "triggerSource"> & Partial<NewRun>,
): NewRun {
  return {
    id: ids.make("run"),
    flowId: flow.id,
    version: flow.version,
    delayMs: 0,
    maxAttempts: 1,
    maxDurationMs: DEFAULT_MAX_DURATION_MS,
    tags: [],
    isTest: false,
    depth: 0,
    credits: creditsToReserve(nodeCount),
    ...trigger,
  };
}
