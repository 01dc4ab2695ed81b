import type { NewRun } from "../../domain/new-run.ts";
import { assumed, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { newRunRow, payloadTexts } from "../runs/new-run-row.ts";
import { type Row, statement } from "../statement.ts";

/** A run to be made out of what another one has left. */
export interface Fork {
  /** What of `data`, `inputs` and `trigger` it has replaces what the other run was given. */
  readonly run: NewRun;
  readonly fromRunId: string;
  readonly fromNodeKey: string;
  readonly keep: readonly string[];
  readonly reopen: readonly string[];
  /** Instead of what would be copied, as JSON. */
  readonly records: readonly { readonly nodeKey: string; readonly text: string }[];
  readonly waits: readonly ForkWait[];
}

/** A run that a node of the fork has begun already: one that is forked with it, one that has completed, or one that was left. */
export interface ForkWait {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly kind: "forked" | "done" | "left";
  readonly runId: string;
  readonly timeoutMs: number | undefined;
  readonly onParentEnd: "cancel" | "leave";
}

const FORK_RUNS = statement({
  text: `SELECT outcome, winner AS "runId" FROM fork_runs($1)`,
  columns: {
    outcome: assumed(oneOf("admitted", "queued", "replayed", "known", "no_credits", "queue_full", "gone")),
    runId: orNull(text),
  },
});

export type ForkOutcome = Row<typeof FORK_RUNS>;

/** One statement: the fork, which comes first, and with it the runs of its sub-flows, or nothing. */
export async function forkRuns(
  db: Db,
  fork: {
    readonly organizationId: string;
    readonly processId: string;
    readonly again: boolean;
    readonly forks: readonly Fork[];
  },
): Promise<ForkOutcome> {
  const { organizationId, processId, again, forks } = fork;
  const parameter = JSON.stringify({
    organization_id: organizationId,
    process_id: processId,
    again,
    forks: forks.map(forkRow),
  });
  const { rows } = await db.query(FORK_RUNS([parameter]));
  return rows[0]!;
}

function forkRow({ run, fromRunId, fromNodeKey, keep, reopen, records, waits }: Fork): object {
  return {
    run: newRunRow(run),
    from_run_id: fromRunId,
    from_node_key: fromNodeKey,
    keep,
    reopen,
    records: records.map(({ nodeKey, text: record }) => ({ node_key: nodeKey, text: record })),
    ...payloadTexts(run),
    waits: waits.map((wait) => ({
      node_key: wait.nodeKey,
      node_id: wait.nodeId,
      kind: wait.kind,
      run_id: wait.runId,
      timeout_ms: wait.timeoutMs,
      on_parent_end: wait.onParentEnd,
    })),
  };
}
