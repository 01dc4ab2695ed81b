import type { IdMaker } from "../../domain/ids.ts";
import { insertGrant } from "../../storage/credits/insert-grant.ts";
import { type Credits, readCredits } from "../../storage/credits/read-credits.ts";
import type { Db } from "../../storage/pool.ts";

export async function showCredits(db: Db, organizationId: string): Promise<Credits> {
  const credits = await readCredits(db, organizationId);
  if (!credits) throw new Error(`There is no organization "${organizationId}"; see: millrace orgs list`);
  return credits;
}

/** Adds to the balance, or takes from it; answers with what is left. */
export async function grantCredits(
  db: Db,
  ids: IdMaker,
  grant: { organizationId: string; amount: number; note?: string },
): Promise<Credits> {
  const { limited } = await showCredits(db, grant.organizationId);
  if (!limited) {
    throw new Error(
      `"${grant.organizationId}" has unlimited credits; write "credits: ${Math.max(0, grant.amount)}" into its document and apply it.`,
    );
  }
  await insertGrant(db, { id: ids.make("entry"), ...grant });
  return showCredits(db, grant.organizationId);
}
