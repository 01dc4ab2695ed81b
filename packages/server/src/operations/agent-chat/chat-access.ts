import type { ErrorCode } from "@millrace/contract/errors";
import { type Principal, requireChangeRight } from "../../domain/principal.ts";
import type { AgentRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Db } from "../../storage/pool.ts";
import { getAgent } from "../agents/get-agent.ts";

/** The agent, as this key may see it; user keys have to say for which organization they speak. */
export async function requireAgent(
  context: { readonly db: Db },
  principal: Principal,
  agentId: string,
  organizationId: string | undefined,
  missing: ErrorCode,
): Promise<AgentRecord> {
  if (organizationId === undefined && principal.scope === "user") {
    throw new Refusal(missing, {
      issues: [{ path: ["organizationId"], message: "is required with a user-scoped key" }],
    });
  }
  return getAgent(context, principal, agentId, organizationId);
}

/** Whoever only looks may follow a chat but not take part in it. */
export function requireChatRight(principal: Principal, agent: AgentRecord): void {
  requireChangeRight(principal.organizations.get(agent.organizationId)!);
  if (!agent.active) throw new Refusal("agent_passive");
}
