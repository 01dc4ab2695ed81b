import type { VariableValues } from "@millrace/contract/documents/variables";
import type { PageRequest } from "../../domain/cursor.ts";
import { assumed, boolean, integer, json, orNull, text, texts, timestamp } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";
import { type Row, type RowOf, statement } from "../statement.ts";

const FIND_VARIABLES = statement({
  text: `SELECT v.version, v."values", v.author, v.note, v.created_at AS "createdAt" FROM organizations o
       JOIN organization_variables v ON v.organization_id = o.id AND v.version = coalesce($2, o.variables_version)
      WHERE o.id = $1`,
  columns: {
    version: integer,
    values: json<VariableValues>(),
    author: orNull(text),
    note: orNull(text),
    createdAt: timestamp,
  },
});

export type StoredVariables = Row<typeof FIND_VARIABLES>;

/** A version of an organization's variables, or the one in force. */
export async function findVariables(
  db: Db,
  organizationId: string,
  version?: number,
): Promise<StoredVariables | undefined> {
  const { rows } = await db.query(FIND_VARIABLES([organizationId, version]));
  return rows[0];
}

const FIND_LATEST = statement({
  text: `SELECT version, "values"::text AS text FROM organization_variables WHERE organization_id = $1 ORDER BY version DESC LIMIT 1`,
  columns: { version: integer, text },
});

const INSERT_VARIABLES = statement({
  text: `INSERT INTO organization_variables (organization_id, version, "values", author, note) VALUES ($1, $2, $3::text::json, $4, $5)`,
});

export interface NewVariables {
  readonly organizationId: string;
  readonly values: VariableValues;
  readonly author: string | undefined;
  readonly note: string | undefined;
}

/**
 * Makes a version of them where they differ from the last, which the commit puts in force; undefined where they do not. The
 * caller holds the lock of the organization's documents.
 */
export async function putVariables(db: Db, variables: NewVariables): Promise<number | undefined> {
  const { organizationId, values, author, note } = variables;
  const { rows } = await db.query(FIND_LATEST([organizationId]));
  const written = JSON.stringify(values);
  if (rows[0] ? rows[0].text === written : written === "{}") return undefined;
  const version = (rows[0]?.version ?? 0) + 1;
  await db.query(INSERT_VARIABLES([organizationId, version, written, author, note]));
  return version;
}

const VERSION = {
  select: `v.version::text AS id, v.version, v.version = o.variables_version AS active, v.author, v.note,
    date_trunc('milliseconds', v.created_at) AS "createdAt", ARRAY(SELECT json_object_keys(v."values")) AS names`,
  columns: {
    id: text,
    version: integer,
    active: assumed(boolean),
    author: orNull(text),
    note: orNull(text),
    createdAt: timestamp,
    names: texts,
  },
};

export type VariableVersionRecord = RowOf<typeof VERSION.columns>;

// By number in place of time: two may be made in one millisecond.
const LIST_VERSIONS = keysetList({
  text: `SELECT * FROM (
       SELECT ${VERSION.select}, timestamptz 'epoch' + v.version * interval '1 second' AS created_at
         FROM organization_variables v JOIN organizations o ON o.id = v.organization_id WHERE v.organization_id = $1
     ) AS listed WHERE true`,
  columns: { ...VERSION.columns, created_at: timestamp },
});

export async function listVariableVersions(
  db: Db,
  organizationId: string,
  page: PageRequest,
): Promise<(VariableVersionRecord & { readonly created_at: Date })[]> {
  return (await db.query(LIST_VERSIONS(organizationId, page))).rows;
}
