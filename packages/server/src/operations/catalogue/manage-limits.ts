import { listOrganizations, type OrganizationSummary } from "../../storage/catalogue/list-organizations.ts";
import { type LimitChanges, setOrganizationLimits } from "../../storage/catalogue/set-organization-limits.ts";
import type { Db } from "../../storage/pool.ts";

/** Changes the named limits, if any, and answers with all of them. */
export async function manageLimits(
  db: Db,
  organizationId: string,
  changes: LimitChanges,
): Promise<OrganizationSummary> {
  if (Object.values(changes).some((value) => value !== undefined)) {
    await setOrganizationLimits(db, organizationId, changes);
  }
  const [organization] = await listOrganizations(db, organizationId);
  if (!organization) throw new Error(`There is no organization "${organizationId}"; see: millrace orgs list`);
  return organization;
}
