import type { Agent } from "@millrace/contract/agents";
import type { AgentRecord } from "../../domain/records.ts";

export function presentAgent(agent: AgentRecord): Agent {
  return {
    id: agent.id,
    name: agent.name,
    slug: agent.slug,
    active: agent.active,
    organizationId: agent.organizationId,
    modelIds: [...agent.modelIds],
    createdAt: agent.createdAt.toISOString(),
    updatedAt: agent.updatedAt?.toISOString() ?? null,
  };
}
