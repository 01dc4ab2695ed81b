import { addFlow, addOrganization } from "../../support/workspace.ts";
import { hello } from "../../support/runs-flows.ts";
import { addOwnerKey } from "../arena/owner-key.ts";
import type { Arena, Round } from "../arena/arena.ts";

const QUEUE_LIMIT = 5;
const TRIGGERS = 20;

export async function delayedRunsAreCounted(_arena: Arena, { service, db }: Round): Promise<string[]> {
  const organizationId = "org_delayed";
  await addOrganization(db, organizationId, { concurrency: 1, queue: QUEUE_LIMIT });
  await addFlow(db, organizationId, "flow_delayed", { graph: hello });
  const { key } = await addOwnerKey(db, organizationId);
  let accepted = 0;
  for (let count = 0; count < TRIGGERS; count++) {
    const answer = await fetch(`${service.address}/api/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ payload: { flowId: "flow_delayed" }, delay: "2d" }),
    });
    if (answer.ok) accepted += 1;
    await answer.text();
  }
  // One more may stand in the free slot.
  return accepted <= QUEUE_LIMIT + 1 && accepted > 0
    ? []
    : [`${accepted} delayed runs were accepted at a limit of ${QUEUE_LIMIT}`];
}
