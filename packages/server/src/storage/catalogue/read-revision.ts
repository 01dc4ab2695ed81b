import { assumed, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

/** What some documents are about: the ids of each kind, those that belong to an organization as `organizationId/id`. */
export interface RevisionScope {
  readonly organizations: readonly string[];
  readonly flows: readonly string[];
  readonly agents: readonly string[];
  readonly credentials: readonly string[];
  readonly eventEndpoints: readonly string[];
}

/** A row that is written gets another `xmin`, whoever writes it and whatever for. */
const READ_REVISION = statement({
  text: `SELECT md5(coalesce(string_agg(kind || ' ' || id || ' ' || written, ',' ORDER BY kind, id), '')) AS revision FROM (
       SELECT 'organization' AS kind, id, xmin::text AS written FROM organizations WHERE id = ANY ($1::text[])
       UNION ALL
       SELECT 'member', organization_id || '/' || user_id, xmin::text FROM memberships WHERE organization_id = ANY ($1::text[])
       UNION ALL
       SELECT 'flow', id, xmin::text FROM flows WHERE id = ANY ($2::text[])
       UNION ALL
       SELECT 'agent', id, xmin::text FROM agents WHERE id = ANY ($3::text[])
       UNION ALL
       SELECT 'credential', organization_id || '/' || id, xmin::text FROM credentials WHERE organization_id || '/' || id = ANY ($4::text[])
       UNION ALL
       SELECT 'endpoint', organization_id || '/' || id, xmin::text FROM event_endpoints WHERE organization_id || '/' || id = ANY ($5::text[])
     ) AS rows`,
  columns: { revision: assumed(text) },
});

/** The same as long as nothing of it was written. */
export async function readRevision(db: Db, scope: RevisionScope): Promise<string> {
  const { organizations, flows, agents, credentials, eventEndpoints } = scope;
  const { rows } = await db.query(READ_REVISION([organizations, flows, agents, credentials, eventEndpoints]));
  return rows[0]!.revision;
}
