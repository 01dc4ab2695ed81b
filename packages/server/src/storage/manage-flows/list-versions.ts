import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { PageRequest } from "../../domain/cursor.ts";
import { assumed, integer, json, orNull, text, timestamp } from "../columns.ts";
import { inDocumentOrder } from "../key-order.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";
import { type Row, type RowOf, statement } from "../statement.ts";

const VERSION = {
  select: `replace(version, '.', '_') AS id, version, date_trunc('milliseconds', created_at) AS "createdAt", author, note, jsonb_array_length(graph->'nodes') AS nodes`,
  columns: {
    id: assumed(text),
    version: text,
    createdAt: timestamp,
    author: orNull(text),
    note: orNull(text),
    nodes: assumed(integer),
  },
};

/** `id` is its name as cursors can hold it. */
export type VersionRecord = RowOf<typeof VERSION.columns>;

const LIST_VERSIONS = keysetList({
  text: `SELECT * FROM (
       SELECT ${VERSION.select}, date_trunc('milliseconds', created_at) AS created_at FROM flow_versions
        WHERE organization_id = ($1::text[])[1] AND flow_id = ($1::text[])[2] AND NOT starts_with(version, 'test-')
     ) AS listed WHERE true`,
  columns: { ...VERSION.columns, created_at: timestamp },
});

export async function listVersions(
  db: Db,
  organizationId: string,
  flowId: string,
  page: PageRequest,
): Promise<VersionRecord[]> {
  const { rows } = await db.query(LIST_VERSIONS([organizationId, flowId], page));
  return rows;
}

const FIND_VERSION = statement({
  text: `SELECT version, created_at AS "createdAt", author, note, hash, settings, ${inDocumentOrder("graph")}
       FROM flow_versions WHERE organization_id = $1 AND flow_id = $2 AND version = $3`,
  columns: {
    version: text,
    createdAt: timestamp,
    author: orNull(text),
    note: orNull(text),
    hash: text,
    settings: orNull(json<FlowSettings>()),
    graph: assumed(json<FlowGraph>()),
  },
});

export type StoredVersion = Row<typeof FIND_VERSION>;

export async function findVersion(
  db: Db,
  organizationId: string,
  flowId: string,
  version: string,
): Promise<StoredVersion | undefined> {
  const { rows } = await db.query(FIND_VERSION([organizationId, flowId, version]));
  return rows[0];
}
