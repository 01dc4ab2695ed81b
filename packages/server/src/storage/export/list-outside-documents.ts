import { boolean, text, texts } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_CREDENTIAL_DOCUMENTS = statement({
  text: `SELECT id, type, allowed_hosts AS "allowedHosts", allow_unencrypted AS "allowUnencrypted", ciphertext
       FROM credentials WHERE organization_id = $1 ORDER BY id`,
  columns: { id: text, type: text, allowedHosts: texts, allowUnencrypted: boolean, ciphertext: text },
});

export type CredentialDocumentRow = Row<typeof LIST_CREDENTIAL_DOCUMENTS>;

export async function listCredentialDocuments(
  db: Db,
  organizationId: string,
): Promise<CredentialDocumentRow[]> {
  const { rows } = await db.query(LIST_CREDENTIAL_DOCUMENTS([organizationId]));
  return rows;
}

const LIST_ENDPOINT_DOCUMENTS = statement({
  text: `SELECT id, url, events FROM event_endpoints WHERE organization_id = $1 ORDER BY id`,
  columns: { id: text, url: text, events: texts },
});

export type EndpointDocumentRow = Row<typeof LIST_ENDPOINT_DOCUMENTS>;

export async function listEndpointDocuments(db: Db, organizationId: string): Promise<EndpointDocumentRow[]> {
  const { rows } = await db.query(LIST_ENDPOINT_DOCUMENTS([organizationId]));
  return rows;
}
