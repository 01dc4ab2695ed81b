import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const DELETE_EVENT_ENDPOINT = statement({
  text: `DELETE FROM event_endpoints WHERE organization_id = $1 AND id = $2`,
});

export async function deleteEventEndpoint(db: Db, organizationId: string, id: string): Promise<void> {
  await db.query(DELETE_EVENT_ENDPOINT([organizationId, id]));
}
