import { assumed, boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { textArray } from "../text-array.ts";
import { recordText, type RecordToStore } from "./record-text.ts";

export interface Pause {
  readonly organizationId: string;
  readonly id: string;
  readonly epoch: number;
  readonly records: readonly RecordToStore[];
  /** What it has no answer to. */
  readonly waits: readonly { readonly nodeKey: string; readonly attempt: number }[];
}

const PAUSE_RUN = statement({
  name: "pause-run",
  text: `SELECT pause_run($1, $2) AS paused`,
  columns: { paused: assumed(boolean) },
});

/** False where the run had changed hands. */
export async function pauseRun(
  db: Db,
  { organizationId, id, epoch, records, waits }: Pause,
): Promise<boolean> {
  const { rows } = await db.query(
    PAUSE_RUN([
      {
        organization_id: organizationId,
        run_id: id,
        epoch,
        waits: waits.map(({ nodeKey, attempt }) => ({ node_key: nodeKey, attempt })),
        node_keys: records.map(({ nodeKey }) => nodeKey),
      },
      textArray(records.map(recordText)),
    ]),
  );
  return rows[0]!.paused;
}
