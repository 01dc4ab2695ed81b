import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { Flow } from "@millrace/contract/flows";
import type { FlowRecord } from "../../domain/records.ts";

export function presentFlow(flow: FlowRecord, { input, tool }: FlowSettings = {}): Flow {
  return {
    id: flow.id,
    name: flow.name,
    slug: flow.slug,
    organizationId: flow.organizationId,
    active: flow.active,
    createdAt: flow.createdAt.toISOString(),
    updatedAt: flow.updatedAt?.toISOString() ?? null,
    ...(input && { input }),
    ...(tool && { tool }),
  };
}
