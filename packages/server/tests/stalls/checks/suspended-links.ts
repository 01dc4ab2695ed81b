import { setTimeout as sleep } from "node:timers/promises";
import { chain, node } from "../../support/runs-flows.ts";
import { addFlow, addOrganization } from "../../support/workspace.ts";
import { addOwnerKey } from "../arena/owner-key.ts";
import type { Arena, Round } from "../arena/arena.ts";
import { startRun } from "../arena/stalls-workspace.ts";
import { resumeUrlOf } from "../arena/resume-url.ts";

/** What is known of an organization is looked up again after less than this. */
const STALE_MS = 5_500;

export async function suspensionEndsLinks(_arena: Arena, { service, db }: Round): Promise<string[]> {
  const organizationId = "org_paused";
  await addOrganization(db, organizationId);
  await addFlow(db, organizationId, "flow_paused", {
    graph: chain(node("ask", "approval", { message: "?" })),
  });
  const { key } = await addOwnerKey(db, organizationId);
  const url = await resumeUrlOf(service.address, key, await startRun(service.address, key, "flow_paused"));
  await db.query(`UPDATE organizations SET suspended = true WHERE id = $1`, [organizationId]);
  await sleep(STALE_MS);
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision: "approved" }),
  });
  await answer.text();
  return answer.ok ? ["a link answered an approval of a suspended organization"] : [];
}
