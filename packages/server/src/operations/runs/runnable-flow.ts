import type { CompiledFlow } from "../../domain/flow/compile.ts";
import { type InputOverrides, unmetNeeds } from "../../domain/flow/overrides.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { FlowLibrary, FlowVersion } from "../flows/flow-library.ts";
import { requireInput } from "./require-input.ts";

type RunnableVersion = FlowVersion & { readonly compiled: NonNullable<FlowVersion["compiled"]> };

/** The flow, checked; refused where it is not the organization's, would not run, or not with this `trigger.body`. */
export async function runnableFlow(
  library: FlowLibrary,
  organizationId: string,
  flowId: string,
  body?: unknown,
): Promise<{ flow: FlowRecord; version: RunnableVersion }> {
  const flow = await library.find(flowId);
  if (!flow || flow.organizationId !== organizationId) {
    throw new Refusal("flow_not_found", { messageParams: { flowId, organizationId } });
  }
  const version = await checkedVersion(library, flow);
  requireNeeds(version.compiled, new Map(), (key) => ["inputs", key]);
  await requireInput({ organizationId, flowId, version, body }, ["trigger", "body"]);
  return { flow, version };
}

/** Refuses a trigger that leaves out what the document leaves out too. */
export function requireNeeds(
  { needs }: CompiledFlow,
  overrides: InputOverrides,
  pathTo: (key: string) => (string | number)[],
): void {
  const unmet = unmetNeeds(needs, overrides);
  if (unmet.length === 0) return;
  throw new Refusal("invalid_request_body", {
    issues: unmet.map(({ key, nodeId, inputName }) => ({
      path: pathTo(key),
      message: `is required: the flow leaves the input "${inputName}" of node "${nodeId}" empty`,
    })),
  });
}

export async function checkedVersion(library: FlowLibrary, flow: FlowRecord): Promise<RunnableVersion> {
  return requireRunnable(await library.checked(flow));
}

export function requireRunnable(version: FlowVersion): RunnableVersion {
  if (isRunnable(version)) return version;
  const { errors, warnings } = version.validation;
  throw new Refusal("flow_validation_failed", { validationErrors: errors, validationWarnings: warnings });
}

function isRunnable(version: FlowVersion): version is RunnableVersion {
  return version.compiled !== undefined;
}
