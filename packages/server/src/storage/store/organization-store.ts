import { boolean, json, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { textArray } from "../text-array.ts";

export interface StoredKey {
  readonly organizationId: string;
  readonly key: string;
}

/** As it is stored, and as text; what is larger is read by itself, so that a batch of reads is no batch of megabytes. */
const smallBytes = { stored: 8_000, text: 50_000 };

const GET_STORED = statement({
  name: "get-stored",
  text: `
SELECT CASE WHEN NOT s.large THEN s.value END AS value, s.large AS "isLarge"
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS a(organization_id, key, at)
  LEFT JOIN LATERAL (
    SELECT value, CASE WHEN pg_column_size(value) > $3 THEN true ELSE octet_length(value::text) > $4 END AS large
      FROM organization_store WHERE organization_id = a.organization_id AND key = a.key LIMIT 1
  ) s ON true ORDER BY a.at`,
  columns: { value: orNull(json<unknown>()), isLarge: orNull(boolean) },
});

/** The values of these keys, in their order; `undefined` where there is none. */
export async function getStored(db: Db, keys: readonly StoredKey[]): Promise<unknown[]> {
  const { rows } = await db.query(
    GET_STORED([
      keys.map(({ organizationId }) => organizationId),
      keys.map(({ key }) => key),
      smallBytes.stored,
      smallBytes.text,
    ]),
  );
  return Promise.all(
    rows.map(({ value, isLarge }, at) =>
      isLarge ? getLarge(db, keys[at]!) : isLarge === null ? undefined : value,
    ),
  );
}

const GET_LARGE = statement({
  text: `SELECT value FROM organization_store WHERE organization_id = $1 AND key = $2`,
  columns: { value: json<unknown>() },
});

async function getLarge(db: Db, { organizationId, key }: StoredKey): Promise<unknown> {
  const { rows } = await db.query(GET_LARGE([organizationId, key]));
  return rows[0]?.value;
}

/** In the order of the keys, so that two statements that change the same ones take turns and never block each other for good. */
const SET_STORED = statement({
  name: "set-stored",
  text: `INSERT INTO organization_store (organization_id, key, value)
     SELECT $1, a.key, a.value::json FROM unnest($2::text[], $3::text[]) AS a(key, value) ORDER BY a.key
     ON CONFLICT (organization_id, key) DO UPDATE SET value = excluded.value, updated_at = millrace_now()`,
});

export interface SetKey {
  readonly key: string;
  /** JSON. */
  readonly text: string;
}

/** Sets keys in one statement. Of a key that comes more than once the last value stays. */
export async function setStored(db: Db, organizationId: string, sets: readonly SetKey[]): Promise<void> {
  const texts = new Map(sets.map(({ key, text }) => [key, text]));
  await db.query(SET_STORED([organizationId, textArray([...texts.keys()]), textArray([...texts.values()])]));
}

const INCREMENT_STORED = statement({
  name: "increment-stored",
  text: `INSERT INTO organization_store AS s (organization_id, key, value)
     SELECT $1, a.key, to_json(a.by) FROM unnest($2::text[], $3::float8[]) AS a(key, by) ORDER BY a.key
     ON CONFLICT (organization_id, key) DO UPDATE SET updated_at = millrace_now(),
       value = to_json((excluded.value #>> '{}')::float8
                       + CASE WHEN json_typeof(s.value) = 'number' THEN (s.value #>> '{}')::float8 ELSE 0 END)
     RETURNING s.key, s.value`,
  columns: { key: text, value: json<number>() },
});

export interface IncrementKey {
  readonly key: string;
  readonly by: number;
}

/** Counts in one statement, so that two runs at once both count. What is no number counts as 0. Each key comes once. */
export async function incrementStored(
  db: Db,
  organizationId: string,
  increments: readonly IncrementKey[],
): Promise<number[]> {
  const { rows } = await db.query(
    INCREMENT_STORED([
      organizationId,
      textArray(increments.map(({ key }) => key)),
      increments.map(({ by }) => by),
    ]),
  );
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  return increments.map(({ key }) => values.get(key)!);
}

const DELETE_STORED = statement({
  text: `DELETE FROM organization_store WHERE organization_id = $1 AND key = $2`,
});

export async function deleteStored(db: Db, organizationId: string, key: string): Promise<void> {
  await db.query(DELETE_STORED([organizationId, key]));
}
