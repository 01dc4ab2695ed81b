import type { SharedRoom } from "../../domain/fair-share.ts";
import type { ClaimedRun } from "../../domain/run.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { CLAIMED_RUN, CLAIMED_RUN_COLUMNS, toClaimedRun } from "./claimed-run.ts";

const CLAIM_RUNS = statement({
  name: "claim-runs",
  text: `SELECT ${CLAIMED_RUN} FROM claim_ready_runs($1)`,
  columns: CLAIMED_RUN_COLUMNS,
});

/** Ready runs for a process with `most` places left. */
export async function claimRuns(
  db: Db,
  processId: string,
  most: number,
  room: SharedRoom,
): Promise<ClaimedRun[]> {
  const { rows } = await db.query(
    CLAIM_RUNS([
      {
        process_id: processId,
        most,
        greed: room.greed,
        rooms: room.organizationIds.map((id, at) => ({ organization_id: id, room: room.rooms[at] })),
      },
    ]),
  );
  return rows.map(toClaimedRun);
}
