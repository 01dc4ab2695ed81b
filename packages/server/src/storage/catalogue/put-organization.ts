import { boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  /** What is undefined keeps its stored value. */
  readonly suspended?: boolean;
  readonly concurrencyLimit?: number;
  readonly queueLimit?: number;
  readonly requestsPerMinute?: number;
  readonly creditsLimited?: boolean;
  readonly valuesHidden?: boolean;
  readonly auditDays?: number;
}

/** The change of one that exists waits for the commit: until then its row is free for those who start runs. */
const PUT_ORGANIZATION = statement({
  text: `WITH created AS (
       INSERT INTO organizations
         (id, name, suspended, concurrency_limit, queue_limit, requests_per_minute, credits_limited, values_hidden, audit_days)
       VALUES ($1, $2, coalesce($3::boolean, false), coalesce($4::integer, 10), coalesce($5::integer, 10000),
               $6::integer, coalesce($7::boolean, false), coalesce($8::boolean, false), coalesce($9::integer, 400))
       ON CONFLICT DO NOTHING RETURNING id
     ), changed AS (
       INSERT INTO organization_changes
         (organization_id, name, suspended, concurrency_limit, queue_limit, requests_per_minute, credits_limited, values_hidden, audit_days)
       SELECT known.id, $2, $3, $4, $5, $6, $7, $8, $9 FROM organizations known
        WHERE known.id = $1
          AND (known.name <> $2 OR known.suspended <> $3 OR known.concurrency_limit <> $4 OR known.queue_limit <> $5
               OR ($6 IS NOT NULL AND known.requests_per_minute IS DISTINCT FROM $6) OR known.credits_limited <> $7
               OR known.values_hidden <> $8 OR known.audit_days <> $9)
       RETURNING organization_id
     )
     SELECT true AS created FROM created UNION ALL SELECT false FROM changed`,
  columns: { created: boolean },
});

export async function putOrganization(db: Db, row: OrganizationRow): Promise<Outcome> {
  const { rows } = await db.query(
    PUT_ORGANIZATION([
      row.id,
      row.name,
      row.suspended,
      row.concurrencyLimit,
      row.queueLimit,
      row.requestsPerMinute,
      row.creditsLimited,
      row.valuesHidden,
      row.auditDays,
    ]),
  );
  return outcomeOf(rows);
}
