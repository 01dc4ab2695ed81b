import type { NodeTouch } from "../../domain/flow/catalogue.ts";
import { ANYTHING, bothTouches, flowsRunBy, NOTHING, touchOf } from "../../domain/flow/flow-touch.ts";
import { type ToolSchema, toolSchema } from "../../domain/flow/tool-schema.ts";
import { type Principal, reaches } from "../../domain/principal.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { hasRole } from "../../domain/role.ts";
import { listToolFlows } from "../../storage/flows/list-tool-flows.ts";
import type { Db } from "../../storage/pool.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";

/** A flow as somebody who may start it is offered it. */
export interface FlowTool extends ToolSchema {
  readonly flow: FlowRecord;
  readonly description: string;
  readonly touch: NodeTouch;
}

export interface FlowToolsContext {
  readonly db: Db;
  readonly library: FlowLibrary;
}

export interface FlowToolPage {
  readonly tools: readonly FlowTool[];
  /** Where the next page begins; left out behind the last one. */
  readonly next?: string;
}

/** How many flows that run each other are looked into. */
const MAX_FLOWS = 50;

/** The flows with a `tool` that the caller may start and that would run, by id. */
export async function listFlowTools(
  context: FlowToolsContext,
  principal: Principal,
  { after, size }: { readonly after: string; readonly size: number },
): Promise<FlowToolPage> {
  const organizationIds = [...principal.organizations]
    .filter(([, { role, suspended }]) => !suspended && hasRole(role, "member"))
    .map(([id]) => id);
  if (organizationIds.length === 0) return { tools: [] };
  const flows = await listToolFlows(context.db, organizationIds, after, size + 1);
  const tools: FlowTool[] = [];
  for (const flow of flows.slice(0, size)) {
    const tool = await toTool(context, flow);
    if (tool) tools.push(tool);
  }
  return { tools, ...(flows.length > size && { next: flows[size - 1]!.id }) };
}

/** Undefined for everything that the list does not show. */
export async function findFlowTool(
  context: FlowToolsContext,
  principal: Principal,
  flowId: string,
): Promise<FlowTool | undefined> {
  const flow = await context.library.find(flowId);
  if (!flow?.active || !reaches(principal, flow.organizationId)) return undefined;
  return toTool(context, flow);
}

async function toTool({ library }: FlowToolsContext, flow: FlowRecord): Promise<FlowTool | undefined> {
  const { compiled, settings } = await library.checked(flow);
  if (!compiled || !settings?.tool) return undefined;
  const { description, readOnly } = settings.tool;
  const touch = await touchOfFlow(library, flow);
  return {
    flow,
    description,
    touch: readOnly ? { ...touch, changes: false, destroys: false } : touch,
    ...toolSchema(settings.input),
  };
}

/** Of the flow and of every flow that it leads to. */
async function touchOfFlow(library: FlowLibrary, flow: FlowRecord): Promise<NodeTouch> {
  const flowIds = new Set([flow.id]);
  let touch = NOTHING;
  // More are added on the way.
  for (const flowId of flowIds) {
    if (flowIds.size > MAX_FLOWS) return ANYTHING;
    const found = await library.find(flowId);
    if (found?.organizationId !== flow.organizationId) return ANYTHING;
    const { compiled } = await library.checked(found);
    if (!compiled) return ANYTHING;
    touch = bothTouches(touch, touchOf(compiled));
    for (const other of flowsRunBy(compiled)) flowIds.add(other);
  }
  return touch;
}
