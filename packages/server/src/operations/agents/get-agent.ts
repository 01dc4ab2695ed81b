import { type Principal, requireMembership } from "../../domain/principal.ts";
import type { AgentRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findAgent } from "../../storage/agents/find-agent.ts";
import type { Db } from "../../storage/pool.ts";

export async function getAgent(
  { db }: { readonly db: Db },
  principal: Principal,
  agentId: string,
  organizationId?: string,
): Promise<AgentRecord> {
  if (organizationId !== undefined) requireMembership(principal, organizationId);
  const agent = await findAgent(db, agentId);
  if (!agent || (organizationId !== undefined && agent.organizationId !== organizationId)) {
    throw new Refusal("agent_not_found");
  }
  requireMembership(principal, agent.organizationId);
  return agent;
}
