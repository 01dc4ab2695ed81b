import type { Report } from "../../domain/documents/check-together.ts";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import { findOrganizations } from "../../storage/catalogue/find-organizations.ts";
import { findOwners } from "../../storage/catalogue/find-owners.ts";
import type { Db } from "../../storage/pool.ts";
import { organizationOf } from "./organization-of.ts";

/** Every document's organization exists or comes with it, and no flow or agent id is another organization's. */
export async function checkOwnership(
  db: Db,
  documents: readonly PlacedDocument[],
  report: Report,
): Promise<void> {
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
  for (const placed of documents) {
    const { document } = placed;
    const organizationId = organizationOf(document);
    if (!organizations.has(organizationId)) {
      const message = `there is no organization "${organizationId}"; add its document or correct the id`;
      report(placed, { path: ["organizationId"], message });
      continue;
    }
    const owner = owners.get(`${document.kind} ${document.id}`);
    if (!owner || owner.organizationId === organizationId) continue;
    const message = `the id "${document.id}" belongs to another organization; choose another one`;
    report(placed, { path: ["id"], message });
  }
}
