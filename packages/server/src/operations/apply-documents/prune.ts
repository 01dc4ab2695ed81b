import { deleteAgent } from "../../storage/catalogue/delete-agent.ts";
import { deleteCredential } from "../../storage/catalogue/delete-credential.ts";
import { deleteEventEndpoint } from "../../storage/catalogue/delete-event-endpoint.ts";
import { deleteFlow } from "../../storage/catalogue/delete-flow.ts";
import { listPrunable, type PrunableRow } from "../../storage/catalogue/list-prunable.ts";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import type { Db } from "../../storage/pool.ts";
import { organizationOf } from "./organization-of.ts";

/**
 * Deletes what the organizations named in the documents have and the documents lack. Organizations and
 * their people are never deleted.
 */
export async function prune(db: Db, documents: readonly PlacedDocument[]): Promise<PrunableRow[]> {
  const organizationIds = [...new Set(documents.map(({ document }) => organizationOf(document)))];
  const described = new Set(
    documents.map(({ document }) => `${document.kind}|${organizationOf(document)}|${document.id}`),
  );
  const rows = await listPrunable(db, organizationIds);
  const surplus = rows.filter(
    ({ kind, organizationId, id }) => !described.has(`${kind}|${organizationId}|${id}`),
  );
  for (const row of surplus) await deleteOne(db, row);
  return surplus;
}

async function deleteOne(db: Db, { kind, organizationId, id }: PrunableRow): Promise<void> {
  if (kind === "Flow") await deleteFlow(db, id);
  else if (kind === "Agent") await deleteAgent(db, id);
  else if (kind === "Credential") await deleteCredential(db, organizationId, id);
  else await deleteEventEndpoint(db, organizationId, id);
}
