import type { Report } from "../../domain/documents/check-together.ts";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import { type Principal, reaches } from "../../domain/principal.ts";
import { hasRole } from "../../domain/role.ts";
import { listSharedPeople } from "../../storage/catalogue/list-shared-people.ts";
import type { Db } from "../../storage/pool.ts";
import type { AppliedDocument } from "./put-documents.ts";
import { organizationOf } from "./organization-of.ts";

/** Every document is of an organization whose documents the caller may change; another one is as absent as none. */
export function checkAccess(
  principal: Principal,
  documents: readonly PlacedDocument[],
  report: Report,
): void {
  for (const placed of documents) {
    const organizationId = organizationOf(placed.document);
    const path = [placed.document.kind === "Organization" ? "id" : "organizationId"];
    if (!reaches(principal, organizationId)) {
      const message = `there is no organization "${organizationId}" that this key may change; correct the id`;
      report(placed, { path, message });
    } else if (!hasRole(principal.organizations.get(organizationId)!.role, "admin"))
      report(placed, { path, message: `changing documents of "${organizationId}" needs the role admin` });
  }
}

/**
 * People belong to all their organizations: one of them alone may neither rename nor disable somebody, and the e-mail
 * address decides who may sign in.
 */
export async function checkPeople(
  db: Db,
  documents: readonly PlacedDocument[],
  report: Report,
): Promise<void> {
  for (const placed of documents) {
    const { document } = placed;
    if (document.kind !== "Organization" || !document.members) continue;
    const shared = await listSharedPeople(
      db,
      document.id,
      document.members.map(({ id }) => id),
    );
    for (const [index, { id, email, name, disabled = false }] of document.members.entries()) {
      const known = shared.get(id);
      if (!known || (known.email === email && known.name === name && known.disabled === disabled)) continue;
      const message = `"${id}" is known to another organization too; email, name and disabled can only be changed beside the database`;
      report(placed, { path: ["members", index], message });
    }
  }
}

/** What only an owner may change. */
export function checkOwnerChanges(
  principal: Principal,
  documents: readonly PlacedDocument[],
  applied: readonly AppliedDocument[],
  report: Report,
): void {
  const changed = new Set(
    applied.flatMap(({ kind, id, action, isOnlyVariables }) =>
      kind === "Organization" && action !== "unchanged" && !isOnlyVariables ? [id] : [],
    ),
  );
  for (const placed of documents) {
    const { kind, id } = placed.document;
    if (kind !== "Organization" || !changed.has(id)) continue;
    if (!hasRole(principal.organizations.get(id)!.role, "owner"))
      report(placed, {
        path: [],
        message: "changing an organization, its limits or members needs the role owner",
      });
  }
}
