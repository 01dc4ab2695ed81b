import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface DisabledEndpoint {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly reason: "gone" | "failing";
  /** Of the event that tells the organization's other endpoints. */
  readonly eventId: string;
}

const DISABLE_ENDPOINT = statement({
  text: `WITH disabled AS (
       UPDATE event_endpoints e SET enabled = false, disabled_at = millrace_now(), disabled_reason = $3
        WHERE e.organization_id = $1 AND e.id = $2 AND e.enabled RETURNING e.*
     ), told AS (
       INSERT INTO events (organization_id, id, type, data, created_at)
       SELECT d.organization_id, $4, 'endpoint.disabled',
              json_build_object('endpoint', json_build_object('id', d.id, 'reason', $3::text, 'disabledAt', iso(d.disabled_at))), d.disabled_at
         FROM disabled d
        WHERE EXISTS (SELECT FROM event_endpoints o WHERE o.organization_id = d.organization_id AND o.id <> d.id AND o.enabled)
     )
     SELECT FROM disabled`,
});

/** Gives up on an endpoint; the others of its organization hear of it. False where it was disabled already. */
export async function disableEndpoint(
  db: Db,
  { organizationId, endpointId, reason, eventId }: DisabledEndpoint,
): Promise<boolean> {
  const { rows } = await db.query(DISABLE_ENDPOINT([organizationId, endpointId, reason, eventId]));
  return rows.length === 1;
}
