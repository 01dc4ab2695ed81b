import type { Db } from "../pool.ts";
import type { Wait } from "./pause-run.ts";

/**
 * Children reserve credits as every run does. Those that the organization cannot pay for are not started: their node is
 * answered with the error instead. Call it first in the transaction: it locks the organization, as admission does,
 * so that nobody spends the same credits meanwhile.
 */
export async function affordChildren(
  client: Db,
  run: { readonly organizationId: string; readonly id: string },
  waits: readonly Wait[],
): Promise<readonly Wait[]> {
  const { organizationId, id } = run;
  if (!waits.some(({ child }) => child)) return waits;
  const organization = await client.query(
    `SELECT credits_limited FROM organizations WHERE id = $1 FOR NO KEY UPDATE`,
    [organizationId],
  );
  if (!organization.rows[0]?.credits_limited) return waits;
  const { rows } = await client.query(
    `SELECT (SELECT coalesce(sum(amount), 0) FROM credit_entries WHERE organization_id = $1) AS balance,
            ARRAY(SELECT node_key FROM run_waits WHERE organization_id = $1 AND run_id = $2 AND child_run_id IS NOT NULL) AS paid`,
    [organizationId, id],
  );
  const paid = new Set<string>(rows[0].paid);
  let balance = Number(rows[0].balance);
  return waits.map(({ child, ...wait }) => {
    if (!child) return wait;
    if (paid.has(wait.nodeKey)) return { ...wait, child };
    if (balance < child.credits) return { ...wait, answer: { error: tooFew(child.flowId) } };
    balance -= child.credits;
    return { ...wait, child };
  });
}

const tooFew = (flowId: string) => ({
  name: "InsufficientCredits",
  message: `The organization has too few credits left to run the flow ${flowId}.`,
});
