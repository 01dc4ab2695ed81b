import { setTimeout as sleep } from "node:timers/promises";
import type { Round } from "../arena/arena.ts";
import type { Outcome } from "../case.ts";

/** What waits for something that never comes shows whatever it has to show much sooner. */
const MAX_RUN_MS = 2_000;
const MAX_CANCEL_MS = 10_000;
const LOOK_MS = 10;

/** Waits for all runs of a flow, and cancels those that take long; what does not end then is a fault. */
export async function runsEnd(round: Round, flowId: string): Promise<Outcome> {
  if ((await openRuns(round, flowId, MAX_RUN_MS)).length === 0)
    return outcomeOf(await endings(round, flowId));
  const { service, workspace } = round;
  for (const id of await openRuns(round, flowId, 0)) {
    await fetch(`${service.address}/api/runs/${id}/cancel`, {
      method: "POST",
      headers: { authorization: `Bearer ${workspace.key}` },
      signal: AbortSignal.timeout(MAX_CANCEL_MS),
    }).catch(() => {});
  }
  const left = await openRuns(round, flowId, MAX_CANCEL_MS);
  const outcome = outcomeOf(await endings(round, flowId));
  if (left.length === 0) return outcome;
  return { ...outcome, faults: [...outcome.faults, `${left.length} runs could not be cancelled`] };
}

/** A run that crashed did so for a reason of the service. */
function outcomeOf(notes: readonly string[]): Outcome {
  return { notes, faults: notes.filter((note) => note.startsWith("CRASHED")) };
}

/** How the last ones ended. */
async function endings({ db }: Round, flowId: string): Promise<string[]> {
  const { rows } = await db.query(
    `SELECT DISTINCT status, left(error::text, 200) AS error
     FROM (SELECT organization_id, id AS run_id, status FROM runs WHERE flow_id = $1 ORDER BY id DESC LIMIT 5) AS last
     LEFT JOIN run_results USING (organization_id, run_id)`,
    [flowId],
  );
  return rows.map(({ status, error }: { status: string; error: string | null }) =>
    `${status} ${error ?? ""}`.trim(),
  );
}

/** Those that are still open once so much time is over. */
async function openRuns({ db, service }: Round, flowId: string, maxMs: number): Promise<string[]> {
  const endAtMs = performance.now() + maxMs;
  for (;;) {
    const { rows } = await db.query(
      `SELECT id FROM runs WHERE flow_id = $1 AND completed_at IS NULL AND status <> 'PAUSED'`,
      [flowId],
    );
    const open = rows.map(({ id }: { id: string }) => id);
    if (open.length === 0 || performance.now() >= endAtMs || !isAlive(service.pids)) return open;
    await sleep(LOOK_MS);
  }
}

function isAlive(pids: readonly number[]): boolean {
  try {
    for (const pid of pids) process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
