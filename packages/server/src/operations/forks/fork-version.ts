import type { FlowRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Db } from "../../storage/pool.ts";
import { findFlowGraph } from "../../storage/flows/find-flow-graph.ts";
import type { RunToFork } from "../../storage/forks/find-run-to-fork.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import { checkedVersion } from "../runs/runnable-flow.ts";

interface ForkVersionContext {
  readonly db: Db;
  readonly library: FlowLibrary;
}

/** The flow of a run in the version that its fork is to have, checked as for a trigger. */
export async function forkVersion(
  { db, library }: ForkVersionContext,
  { organizationId, flowId, version }: RunToFork,
  asked: string,
): Promise<{ flow: FlowRecord; version: Awaited<ReturnType<typeof checkedVersion>> }> {
  const found = await library.find(flowId);
  if (!found || found.organizationId !== organizationId)
    throw new Refusal("flow_not_found", { messageParams: { flowId, organizationId } });
  const flow = { ...found, version: meant(asked, { same: version, active: found.version }) };
  const isKnown = flow.version === version || flow.version === found.version;
  if (!isKnown && !(await findFlowGraph(db, organizationId, flowId, flow.version)))
    throw new Refusal("invalid_request_body", {
      issues: [{ path: ["version"], message: `is no version of the flow ${flowId}` }],
    });
  return { flow, version: await checkedVersion(library, flow) };
}

function meant(asked: string, known: { readonly same: string; readonly active: string }): string {
  return asked === "same" || asked === "active" ? known[asked] : asked;
}
