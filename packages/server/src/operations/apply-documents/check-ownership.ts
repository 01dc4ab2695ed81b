import { DocumentFaults, type Fault } from "../../domain/documents/fault.ts";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import { findOrganizations } from "../../storage/catalogue/find-organizations.ts";
import { findOwners } from "../../storage/catalogue/find-owners.ts";
import type { Db } from "../../storage/pool.ts";
import { organizationOf } from "./organization-of.ts";

/** Every document's organization exists or comes with it, and no flow or agent id is another organization's. */
export async function checkOwnership(db: Db, documents: readonly PlacedDocument[]): Promise<void> {
  const idsOf = (kind: string) =>
    documents.flatMap(({ document }) => (document.kind === kind ? [document.id] : []));
  const existing = await findOrganizations(db, [
    ...new Set(documents.map(({ document }) => organizationOf(document))),
  ]);
  const organizations = new Set([...existing, ...idsOf("Organization")]);
  const owners = new Map(
    (await findOwners(db, idsOf("Flow"), idsOf("Agent"))).map((owned) => [
      `${owned.kind} ${owned.id}`,
      owned,
    ]),
  );
  const faults = documents.flatMap(({ document, fault }): Fault[] => {
    const organizationId = organizationOf(document);
    if (!organizations.has(organizationId)) {
      const message = `there is no organization "${organizationId}"; add its document or correct the id`;
      return [fault({ path: ["organizationId"], message })];
    }
    const owner = owners.get(`${document.kind} ${document.id}`);
    if (!owner || owner.organizationId === organizationId) return [];
    const message = `the id "${document.id}" belongs to another organization; choose another one`;
    return [fault({ path: ["id"], message })];
  });
  if (faults.length > 0) throw new DocumentFaults(faults);
}
