import { assumed, boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

export interface AgentRow {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  /** Undefined keeps the stored value. */
  readonly active: boolean | undefined;
  readonly modelIds: readonly string[];
  readonly design: unknown;
}

const FIND_STORED_AGENT = statement({
  text: `SELECT agents.deleted_at IS NOT NULL AS deleted,
            agent_designs.design = $3::text::jsonb AND agent_designs.ordered_design::text IS NOT DISTINCT FROM $3::text AS same
     FROM agents JOIN agent_designs ON agent_designs.organization_id = agents.organization_id AND agent_id = agents.id
     WHERE agents.organization_id = $1 AND agents.id = $2`,
  columns: { deleted: boolean, same: assumed(boolean) },
});

const PUT_AGENT_ROW = statement({
  text: `INSERT INTO agents AS known (organization_id, id, name, slug, active, model_ids)
     VALUES ($1, $2, $3, $4, coalesce($5::boolean, true), $6)
     ON CONFLICT (organization_id, id) DO UPDATE SET
       name = $3, slug = $4, active = coalesce($5, known.active), model_ids = $6, updated_at = now(), deleted_at = NULL
     WHERE known.name <> $3 OR known.slug IS DISTINCT FROM $4 OR known.active <> $5 OR known.model_ids <> $6::text[]
        OR known.deleted_at IS NOT NULL OR NOT $7::boolean
     RETURNING xmax = 0 AS created`,
  columns: { created: boolean },
});

const PUT_AGENT_DESIGN = statement({
  text: `INSERT INTO agent_designs (organization_id, agent_id, design, ordered_design) VALUES ($1, $2, $3::text::jsonb, $3::text::json)
       ON CONFLICT (organization_id, agent_id) DO UPDATE SET design = excluded.design, ordered_design = excluded.ordered_design`,
});

export async function putAgent(db: Db, row: AgentRow): Promise<Outcome> {
  const { organizationId, id, name, slug, active, modelIds, design } = row;
  const known = await db.query(FIND_STORED_AGENT([organizationId, id, JSON.stringify(design)]));
  const sameDesign: boolean = known.rows[0]?.same ?? false;
  const { rows } = await db.query(
    PUT_AGENT_ROW([organizationId, id, name, slug, active, modelIds, sameDesign]),
  );
  if (!sameDesign) {
    await db.query(PUT_AGENT_DESIGN([organizationId, id, JSON.stringify(design)]));
  }
  return known.rows[0]?.deleted ? "created" : outcomeOf(rows);
}
