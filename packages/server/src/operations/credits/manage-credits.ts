import type { Actor } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { insertGrant } from "../../storage/credits/insert-grant.ts";
import { type Credits, readCredits } from "../../storage/credits/read-credits.ts";
import { type Db, type Pool, transaction } from "../../storage/pool.ts";
import { recordAudit } from "../audit/record-audit.ts";

export async function showCredits(db: Db, organizationId: string): Promise<Credits> {
  const credits = await readCredits(db, organizationId);
  if (!credits) throw new Error(`There is no organization "${organizationId}"; see: millrace orgs list`);
  return credits;
}

export interface GrantContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
}

/** Adds to the balance, or takes from it; answers with what is left. */
export async function grantCredits(
  { pool, ids }: GrantContext,
  actor: Actor,
  grant: { organizationId: string; amount: number; note?: string },
): Promise<Credits> {
  const { organizationId, amount, note } = grant;
  return transaction(pool, async (db) => {
    const { limited, balance } = await showCredits(db, organizationId);
    if (!limited) {
      throw new Error(
        `"${organizationId}" has unlimited credits; write "credits: ${Math.max(0, amount)}" into its document and apply it.`,
      );
    }
    const id = ids.make("entry");
    await insertGrant(db, { id, ...grant });
    await recordAudit({ db, ids }, actor, {
      organizationId,
      action: "credits.grant",
      target: id,
      before: { balance },
      after: { balance: balance + amount, amount, ...(note !== undefined && { note }) },
    });
    return showCredits(db, organizationId);
  });
}
