import type { ManagedOrganization } from "@millrace/contract/manage/organizations";
import type { OwnOrganization } from "../../operations/organizations/manage-organizations.ts";

export function presentOrganization(organization: OwnOrganization): ManagedOrganization {
  const {
    id,
    name,
    role,
    suspended,
    concurrency,
    queue,
    requestsPerMinute,
    valuesHidden,
    auditDays,
    createdAt,
  } = organization;
  return {
    id,
    name,
    role,
    suspended,
    limits: { concurrency, queue, requestsPerMinute },
    values: valuesHidden ? "hidden" : "shown",
    auditDays,
    createdAt: createdAt.toISOString(),
  };
}
