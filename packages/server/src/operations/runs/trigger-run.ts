import { delayMs } from "@millrace/contract/duration";
import type { TriggerBody } from "@millrace/contract/trigger";
import { overrideInputs } from "../../domain/flow/overrides.ts";
import { idempotencyOf, newRun } from "../../domain/new-run.ts";
import { type Principal, reaches, requireChangeRight, requireMembership } from "../../domain/principal.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import { requireNeeds, requireRunnable } from "./runnable-flow.ts";
import { requireInput } from "./require-input.ts";
import { findReplay, type RunStart, type StartContext, startRun } from "./start-run.ts";

/** POST /api/runs: access, idempotency, validation, then slot or queue. */
export async function triggerRun(
  context: StartContext,
  principal: Principal,
  body: TriggerBody,
): Promise<RunStart> {
  const { library, ids } = context;
  const { payload } = body;
  const flow = accessible(principal, payload, await library.find(payload.flowId));
  requireChangeRight(requireMembership(principal, flow.organizationId));
  const idempotency =
    body.idempotencyKey === undefined ? undefined : idempotencyOf("api", flow.id, body.idempotencyKey);
  const known = idempotency && (await findReplay(context, flow.organizationId, idempotency));
  if (known) return known;

  const version = requireRunnable(await library.checked(flow));
  const { issues, overrides } = overrideInputs(version.compiled, payload.inputs ?? {});
  if (issues.length > 0) {
    throw new Refusal("invalid_request_body", {
      issues: issues.map(({ path, message }) => ({ path: [...path], message })),
    });
  }
  requireNeeds(version.compiled, overrides, (key) => ["payload", "inputs", key]);
  if (version.input) {
    const { id: flowId, organizationId } = flow;
    const start = { organizationId, flowId, version, overrides, body: payload.trigger?.body };
    await requireInput(start, ["payload", "trigger", "body"]);
  }
  const run = newRun(ids, flow, version, {
    triggerSource: payload.triggerSource,
    delayMs: body.delay === undefined ? 0 : delayMs(body.delay),
    maxAttempts: body.maxAttempts,
    maxDurationMs: Math.ceil(body.maxDuration * 1000),
    tags: body.tags,
    isTest: body.isTest,
    idempotency,
    data: payload.data,
    inputs: payload.inputs,
    trigger: payload.trigger,
  });
  return startRun(context, flow.organizationId, run);
}

/** A flow of another organization is as absent as one that does not exist. */
function accessible(
  principal: Principal,
  payload: TriggerBody["payload"],
  flow: FlowRecord | undefined,
): FlowRecord {
  if (payload.organizationId === undefined && principal.scope === "user") {
    throw new Refusal("invalid_request_body", {
      issues: [{ path: ["payload", "organizationId"], message: "is required with a user-scoped key" }],
    });
  }
  const organizationId = payload.organizationId ?? [...principal.organizations.keys()][0]!;
  if (!flow || flow.organizationId !== organizationId || !reaches(principal, organizationId)) {
    throw new Refusal("flow_not_found", { messageParams: { flowId: payload.flowId, organizationId } });
  }
  return flow;
}
