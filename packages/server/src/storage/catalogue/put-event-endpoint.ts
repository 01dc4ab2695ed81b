import { boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

export interface EventEndpointRow {
  readonly organizationId: string;
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  /** Used only where the endpoint is new; a known one keeps its secret. */
  readonly secretCiphertext: string;
}

const PUT_EVENT_ENDPOINT = statement({
  text: `INSERT INTO event_endpoints AS known (organization_id, id, url, events, secret_ciphertext)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (organization_id, id) DO UPDATE SET url = $3, events = $4, updated_at = now()
     WHERE (known.url, known.events) <> ($3, $4::text[])
     RETURNING xmax = 0 AS created`,
  columns: { created: boolean },
});

export async function putEventEndpoint(db: Db, row: EventEndpointRow): Promise<Outcome> {
  const { rows } = await db.query(
    PUT_EVENT_ENDPOINT([row.organizationId, row.id, row.url, row.events, row.secretCiphertext]),
  );
  return outcomeOf(rows);
}
