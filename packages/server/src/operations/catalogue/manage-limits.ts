import type { Actor } from "../../domain/actor.ts";
import { listOrganizations, type OrganizationSummary } from "../../storage/catalogue/list-organizations.ts";
import { changeSettings, type OrganizationContext } from "../organizations/manage-organizations.ts";

export interface LimitChanges {
  readonly concurrency?: number;
  readonly queue?: number;
  readonly requestsPerMinute?: number;
}

/** Changes the named limits, if any, and answers with all of them. */
export async function manageLimits(
  context: OrganizationContext,
  actor: Actor,
  organizationId: string,
  changes: LimitChanges,
): Promise<OrganizationSummary> {
  const read = async () => (await listOrganizations(context.pool, organizationId))[0];
  if (!(await read()))
    throw new Error(`There is no organization "${organizationId}"; see: millrace orgs list`);
  if (Object.values(changes).some((value) => value !== undefined))
    await changeSettings(context, actor, organizationId, changes);
  return (await read())!;
}
