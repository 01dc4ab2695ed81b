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
}

const PUT_ORGANIZATION = statement({
  text: `INSERT INTO organizations AS known
       (id, name, suspended, concurrency_limit, queue_limit, requests_per_minute, credits_limited)
     VALUES ($1, $2, coalesce($3::boolean, false), coalesce($4::integer, 10), coalesce($5::integer, 10000),
             $6::integer, coalesce($7::boolean, false))
     ON CONFLICT (id) DO UPDATE SET
       name = $2,
       suspended = coalesce($3, known.suspended),
       concurrency_limit = coalesce($4, known.concurrency_limit),
       queue_limit = coalesce($5, known.queue_limit),
       requests_per_minute = coalesce($6, known.requests_per_minute),
       credits_limited = coalesce($7, known.credits_limited),
       updated_at = now()
     WHERE known.name <> $2 OR known.suspended <> $3 OR known.concurrency_limit <> $4 OR known.queue_limit <> $5
        OR ($6 IS NOT NULL AND known.requests_per_minute IS DISTINCT FROM $6) OR known.credits_limited <> $7
     RETURNING xmax = 0 AS created`,
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
    ]),
  );
  return outcomeOf(rows);
}
