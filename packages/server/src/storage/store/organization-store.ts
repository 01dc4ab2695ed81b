import type { Db } from "../pool.ts";

export async function getStored(db: Db, organizationId: string, key: string): Promise<unknown> {
  const { rows } = await db.query(
    `SELECT value FROM organization_store WHERE organization_id = $1 AND key = $2`,
    [organizationId, key],
  );
  return rows[0]?.value;
}

export async function setStored(db: Db, organizationId: string, key: string, value: unknown): Promise<void> {
  await db.query(
    `INSERT INTO organization_store (organization_id, key, value) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id, key) DO UPDATE SET value = excluded.value, updated_at = millrace_now()`,
    [organizationId, key, JSON.stringify(value ?? null)],
  );
}

/** Counts in one statement, so that two runs at once both count. What is no number counts as 0. */
export async function incrementStored(
  db: Db,
  organizationId: string,
  key: string,
  by: number,
): Promise<number> {
  const { rows } = await db.query(
    `INSERT INTO organization_store AS s (organization_id, key, value) VALUES ($1, $2, to_json($3::float8))
     ON CONFLICT (organization_id, key) DO UPDATE SET updated_at = millrace_now(),
       value = to_json($3::float8 + CASE WHEN json_typeof(s.value) = 'number' THEN (s.value #>> '{}')::float8 ELSE 0 END)
     RETURNING value`,
    [organizationId, key, by],
  );
  return rows[0].value;
}

export async function deleteStored(db: Db, organizationId: string, key: string): Promise<void> {
  await db.query(`DELETE FROM organization_store WHERE organization_id = $1 AND key = $2`, [
    organizationId,
    key,
  ]);
}
