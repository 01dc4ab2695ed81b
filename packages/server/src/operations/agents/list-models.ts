import { organizationsFor, type Principal } from "../../domain/principal.ts";
import type { AgentRecord } from "../../domain/records.ts";
import { listAgents } from "../../storage/agents/list-agents.ts";
import type { Db } from "../../storage/pool.ts";

const MAX_MODELS = 1_000;

/** The agents that answer, newest first. Clients of this list know no pages. */
export async function listModels(
  { db }: { readonly db: Db },
  principal: Principal,
): Promise<readonly AgentRecord[]> {
  const agents = await listAgents(db, organizationsFor(principal, undefined), {
    list: "models",
    size: MAX_MODELS,
  });
  return agents.filter(({ active }) => active).slice(0, MAX_MODELS);
}
