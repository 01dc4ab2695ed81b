import { assumed, oneOf } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { textArray } from "../text-array.ts";
import { recordText, type RecordToStore, UPDATE_OPEN_RECORD } from "./record-text.ts";

interface EndedRun {
  readonly organizationId: string;
  readonly id: string;
  /** With which it was executed when it was ended. */
  readonly epoch: number;
}

const FIND_INTERRUPTION = statement({
  text: `SELECT status FROM runs
      WHERE organization_id = $1 AND id = $2 AND finished_epoch = $3 + 1 AND status IN ('CANCELED', 'TIMED_OUT')`,
  columns: { status: assumed(oneOf("CANCELED", "TIMED_OUT")) },
});

const KEEP_INTERRUPTED = statement({
  text: `INSERT INTO run_nodes (organization_id, run_id, node_key, epoch, record)
     SELECT r.organization_id, r.id, n.node_key, $3, n.record::json
       FROM runs r CROSS JOIN unnest($4::text[], $5::text[]) AS n(node_key, record)
      WHERE r.organization_id = $1 AND r.id = $2 AND r.finished_epoch = $3 + 1
        AND r.status IN ('CANCELED', 'TIMED_OUT')
     ${UPDATE_OPEN_RECORD}`,
});

/** How a run has ended from outside while this epoch executed it. */
export async function findInterruption(
  db: Db,
  { organizationId, id, epoch }: EndedRun,
): Promise<"CANCELED" | "TIMED_OUT" | undefined> {
  const { rows } = await db.query(FIND_INTERRUPTION([organizationId, id, epoch]));
  return rows[0]?.status;
}

/** What the process that executed it can still tell of its nodes. */
export async function keepInterrupted(
  db: Db,
  { organizationId, id, epoch, records }: EndedRun & { readonly records: readonly RecordToStore[] },
): Promise<void> {
  await db.query(
    KEEP_INTERRUPTED([
      organizationId,
      id,
      epoch,
      records.map(({ nodeKey }) => nodeKey),
      textArray(records.map(recordText)),
    ]),
  );
}
