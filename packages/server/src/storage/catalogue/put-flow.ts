import { boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

export interface FlowRow {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  /** Undefined keeps the stored value. */
  readonly active: boolean | undefined;
  /** Undefined keeps the one in force, if there is any. */
  readonly version: string | undefined;
  /** Who keeps its document from now on. */
  readonly managedBy: "apply" | "console";
}

const PUT_FLOW = statement({
  text: `INSERT INTO flows AS known (organization_id, id, name, slug, active, version, managed_by)
     VALUES ($1, $2, $3, $4, coalesce($5::boolean, true), $6, $7)
     ON CONFLICT (organization_id, id) DO UPDATE SET
       name = $3, slug = $4, active = coalesce($5, known.active), version = coalesce($6, known.version), updated_at = now(), deleted_at = NULL,
       managed_by = $7,
       draft_revision = known.draft_revision + (coalesce($6, known.version) IS DISTINCT FROM known.version)::integer
     WHERE known.name <> $3 OR known.slug IS DISTINCT FROM $4 OR known.active <> $5
        OR coalesce($6, known.version) IS DISTINCT FROM known.version
        OR known.deleted_at IS NOT NULL OR known.managed_by <> $7
     RETURNING xmax = 0 AS created`,
  columns: { created: boolean },
});

export async function putFlow(db: Db, row: FlowRow): Promise<Outcome> {
  const { rows } = await db.query(
    PUT_FLOW([row.organizationId, row.id, row.name, row.slug, row.active, row.version, row.managedBy]),
  );
  return outcomeOf(rows);
}
