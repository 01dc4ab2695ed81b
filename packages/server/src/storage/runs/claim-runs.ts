import type { ClaimedRun } from "../../domain/run.ts";
import type { Db } from "../pool.ts";
import { type ClaimedRow, toClaimedRun } from "./claimed-run.ts";

export async function claimRuns(db: Db, processId: string, most: number): Promise<ClaimedRun[]> {
  const { rows } = await db.query<ClaimedRow>({
    name: "claim-runs",
    text: `SELECT * FROM claim_runs($1, $2)`,
    values: [processId, most],
  });
  return rows.map(toClaimedRun);
}
