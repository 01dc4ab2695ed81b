import { randomUUID } from "node:crypto";
import { IdMaker } from "../../src/domain/ids.ts";
import { newRun as makeRun, type NewRun } from "../../src/domain/new-run.ts";
import type { ClaimedRun } from "../../src/domain/run.ts";
import type { Pool } from "pg";
import type { RawDb } from "./database.ts";
import { type Admission, admitRuns, toAdmit } from "../../src/storage/runs/admit-runs.ts";
import { claimRuns } from "../../src/storage/runs/claim-runs.ts";
import { finishRuns } from "../../src/storage/runs/finish-runs.ts";
import { addOrganization } from "./workspace.ts";

const ids = new IdMaker(() => Date.now());

/** A trigger as the operation would hand it to storage. */
export function newRun(rest: Partial<NewRun> = {}): NewRun {
  const flow = { id: "flow_one", version: "20260101.1" };
  return { ...makeRun(ids, flow, { nodeCount: 3 }, { triggerSource: "api" }), ...rest };
}

export function admit(
  db: RawDb,
  runs: readonly NewRun[],
  options: { organizationId?: string; claimFor?: string; again?: boolean } = {},
): Promise<Admission[]> {
  return admitRuns(db, {
    organizationId: options.organizationId ?? "org_run",
    processId: options.claimFor ?? randomUUID(),
    claim: options.claimFor === undefined ? 0 : runs.length,
    queueKnown: undefined,
    again: options.again ?? false,
    runs: runs.map(toAdmit),
  });
}

/** A process that has just said it lives. */
export async function addProcess(db: RawDb): Promise<string> {
  const id = randomUUID();
  await db.query(
    `INSERT INTO processes (id, lock_key, role, host, pid, version) VALUES ($1, 0, 'worker', 'test', 1, 'test')`,
    [id],
  );
  return id;
}

/** A process of which nothing has been heard for a long time. */
export async function silence(db: RawDb, processId: string): Promise<void> {
  await db.query(`UPDATE processes SET heartbeat_at = millrace_now() - interval '1 minute' WHERE id = $1`, [
    processId,
  ]);
}

export async function addLimitedOrganization(
  db: RawDb,
  limits: { concurrency?: number; queue?: number; credits?: number } = {},
): Promise<void> {
  await addOrganization(db, "org_run", limits);
  if (limits.credits === undefined) return;
  await db.query(`UPDATE organizations SET credits_limited = true WHERE id = 'org_run'`);
  await db.query(
    `INSERT INTO credit_entries (organization_id, id, kind, amount) VALUES ('org_run', 'opening', 'opening', $1)`,
    [limits.credits],
  );
}

/** A run that a living process executes. */
export async function executing(
  db: RawDb,
  rest: Partial<NewRun> = {},
): Promise<{ run: ClaimedRun; processId: string }> {
  const processId = await addProcess(db);
  const asked = newRun(rest);
  const [admission] = await admit(db, [asked], { claimFor: processId });
  if (admission?.outcome !== "claimed") throw new Error(`${asked.id} was ${admission?.outcome}`);
  const run: ClaimedRun = {
    organizationId: "org_run",
    id: asked.id,
    flowId: asked.flowId,
    version: asked.version,
    epoch: 1,
    attempt: 1,
    remainingMs: asked.maxDurationMs,
    depth: 0,
    data: undefined,
    inputs: undefined,
    trigger: undefined,
    payloadLength: 0,
  };
  return { run, processId };
}

export const complete = (db: RawDb, { organizationId, id, epoch }: ClaimedRun) =>
  finishRuns(db, [{ organizationId, id, epoch, status: "COMPLETED", output: {}, nodes: [], cost: 1 }]);

export async function rowOf(pool: Pool, id: string): Promise<Record<string, unknown>> {
  return (await pool.query(`SELECT * FROM runs WHERE id = $1`, [id])).rows[0];
}

export const nodeRecord = (nodeKey: string, by: string) => ({ nodeKey, nodeId: nodeKey, by });

/** Claims for a process whose places nobody else wants: up to `most`, of whichever organization. */
export async function claimReady(db: RawDb, processId: string, most: number): Promise<ClaimedRun[]> {
  const unshared = { newcomer: most, greed: 1_000, organizationIds: [], rooms: [] };
  const claimed: ClaimedRun[] = [];
  for (let round: ClaimedRun[] = []; claimed.length < most; claimed.push(...round)) {
    round = await claimRuns(db, processId, most - claimed.length, unshared);
    if (round.length === 0) break;
  }
  return claimed;
}
