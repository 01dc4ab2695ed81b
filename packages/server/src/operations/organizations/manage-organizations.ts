import type { ChangeOrganizationBody, OrganizationsQuery } from "@millrace/contract/manage/organizations";
import type { Actor } from "../../domain/actor.ts";
import { type Page, toPageRequest } from "../../domain/cursor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { pageById } from "../../domain/page-by-id.ts";
import { type Principal, requireRole } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/role.ts";
import {
  changeOrganizationSettings,
  type OrganizationSettings,
  readOrganizationSettings,
  type SettingChanges,
} from "../../storage/organizations/organization-settings.ts";
import type { Pool } from "../../storage/pool.ts";

export interface OrganizationContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
}

/** An organization as one of its members sees it. */
export interface OwnOrganization extends OrganizationSettings {
  readonly role: Role;
}

/** Those the caller reaches, with what they are in each. */
export async function listOwnOrganizations(
  { pool }: OrganizationContext,
  principal: Principal,
  query: OrganizationsQuery,
): Promise<Page<OwnOrganization>> {
  const settings = await readOrganizationSettings(pool, [...principal.organizations.keys()]);
  const own = settings.map((one) => ({ ...one, role: principal.organizations.get(one.id)!.role }));
  return pageById(toPageRequest("organizations", query), own);
}

export async function changeOwnOrganization(
  { pool, ids }: OrganizationContext,
  principal: Principal,
  actor: Actor,
  organizationId: string,
  body: ChangeOrganizationBody,
): Promise<OwnOrganization> {
  const { role } = requireRole(principal, organizationId, "owner");
  const { name, limits, values, auditDays } = body;
  const valuesHidden = values && values === "hidden";
  const changes = { name, ...limits, valuesHidden, auditDays };
  return { ...(await changeSettings({ pool, ids }, actor, organizationId, changes)), role };
}

export async function changeSettings(
  { pool, ids }: OrganizationContext,
  actor: Actor,
  organizationId: string,
  changes: SettingChanges,
): Promise<OrganizationSettings> {
  const audit = { entryId: ids.make("audit"), actor };
  const changed = await changeOrganizationSettings(pool, organizationId, changes, audit);
  if (!changed) throw new Refusal("organization_access_denied");
  return changed;
}
