import { type Principal, requireMembership } from "../../domain/principal.ts";
import type { AgentRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findAgent } from "../../storage/agents/find-agent.ts";
import type { Db } from "../../storage/pool.ts";

export type GetAgent = (
  principal: Principal,
  agentId: string,
  organizationId?: string,
) => Promise<AgentRecord>;

export const makeGetAgent =
  (db: Db): GetAgent =>
  async (principal, agentId, organizationId) => {
    if (organizationId !== undefined) requireMembership(principal, organizationId);
    const agent = await findAgent(db, agentId);
    if (!agent || (organizationId !== undefined && agent.organizationId !== organizationId)) {
      throw new Refusal("agent_not_found");
    }
    requireMembership(principal, agent.organizationId);
    return agent;
  };
