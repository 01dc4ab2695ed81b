import type { RunStatus, TriggerSource } from "@millrace/contract/run-status";
import { IdMaker, lowestIdAt } from "../../src/domain/ids.ts";
import type { RunNodeRecord } from "../../src/domain/run-record.ts";
import { isTerminal } from "../../src/domain/run-status.ts";
import type { RawDb } from "./database.ts";

const ids = new IdMaker(() => Date.now());

export interface TestRun {
  readonly id?: string;
  readonly createdAtMs?: number;
  readonly organizationId?: string;
  readonly flowId?: string;
  readonly version?: string;
  readonly status?: RunStatus;
  readonly stage?: "delayed" | "queued" | "admitted";
  readonly answeredQueued?: boolean;
  readonly priority?: number;
  readonly started?: boolean;
  readonly triggerSource?: TriggerSource;
  readonly tags?: readonly string[];
  readonly isTest?: boolean;
  readonly parentRunId?: string;
  readonly durationMs?: number;
  readonly data?: object;
  readonly output?: object;
  readonly error?: object;
  readonly nodes?: readonly RunNodeRecord[];
  readonly recoveries?: number;
}

/** A run put straight into the tables, as if the engine had brought it there. */
export async function addRun(db: RawDb, run: TestRun = {}): Promise<string> {
  const id = run.id ?? (run.createdAtMs === undefined ? ids.make("run") : lowestIdAt("run", run.createdAtMs));
  const organizationId = run.organizationId ?? "org_one";
  const status = run.status ?? "WAITING";
  const started = run.started ?? status !== "WAITING";
  const startedAt = new Date(run.createdAtMs ?? Date.now());
  const completedAt = isTerminal(status) ? new Date(startedAt.getTime() + (run.durationMs ?? 1_234)) : null;
  await db.query(
    `INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, priority, process_id,
       due_at, deadline_at, max_duration_ms, trigger_source, tags, is_test, parent_run_id, started_at, updated_at, completed_at,
       recoveries)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 3600000, $12, $13, $14, $15, $16, $17, $18, $19)`,
    [
      organizationId,
      id,
      run.flowId ?? "flow_one",
      run.version ?? "20260101.1",
      status,
      run.stage ?? "admitted",
      run.answeredQueued ?? false,
      run.priority ?? 0,
      status === "EXECUTING" ? "00000000-0000-4000-8000-000000000000" : null,
      run.stage === "delayed" ? new Date() : null,
      status === "EXECUTING" ? new Date(Date.now() + 3_600_000) : null,
      run.triggerSource ?? "api",
      run.tags ?? [],
      run.isTest ?? false,
      run.parentRunId,
      started ? startedAt : null,
      completedAt ?? startedAt,
      completedAt,
      run.recoveries ?? 0,
    ],
  );
  // Versions of test runs are all in force at once, from the time the flow was made.
  await db.query(
    `INSERT INTO flow_versions (organization_id, flow_id, version, hash, graph, created_at)
     SELECT organization_id, flow_id, $3, hash, graph, created_at FROM flow_versions WHERE organization_id = $1 AND flow_id = $2 LIMIT 1
     ON CONFLICT DO NOTHING`,
    [organizationId, run.flowId ?? "flow_one", run.version ?? "20260101.1"],
  );
  await db.query(`INSERT INTO run_tags SELECT $1, tag, $2, $3 FROM unnest($4::text[]) AS tag`, [
    organizationId,
    status,
    id,
    run.tags ?? [],
  ]);
  await db.query(`INSERT INTO run_payloads (organization_id, run_id, data) VALUES ($1, $2, $3)`, [
    organizationId,
    id,
    run.data,
  ]);
  if (run.output || run.error || run.nodes) {
    await db.query(
      `INSERT INTO run_results (organization_id, run_id, output, error, nodes) VALUES ($1, $2, $3, $4, $5)`,
      [organizationId, id, run.output, run.error, run.nodes && JSON.stringify(run.nodes)],
    );
  }
  return id;
}

/** Moves a run on, as the engine's commit would. */
export async function moveRun(db: RawDb, id: string, status: RunStatus): Promise<void> {
  await db.query(
    `UPDATE runs SET status = $2, stage = 'admitted', updated_at = clock_timestamp(),
            started_at = coalesce(started_at, clock_timestamp()),
            process_id = CASE WHEN $2 = 'EXECUTING' THEN gen_random_uuid() END,
            deadline_at = CASE WHEN $2 = 'EXECUTING' THEN clock_timestamp() + interval '1 hour' END,
            completed_at = CASE WHEN $3 THEN clock_timestamp() END
      WHERE id = $1`,
    [id, status, isTerminal(status)],
  );
}

export function nodeRecord(
  nodeKey: string,
  startedAt: number,
  rest: Partial<RunNodeRecord> = {},
): RunNodeRecord {
  return {
    nodeKey,
    nodeId: nodeKey.replace(/\[.*$/, ""),
    type: "set",
    status: "COMPLETED",
    startedAt,
    endedAt: startedAt + 5,
    attempts: 1,
    input: { values: {} },
    output: { text: nodeKey },
    handle: "out",
    log: [],
    ...rest,
  };
}

export async function addCheckpoint(
  db: RawDb,
  organizationId: string,
  runId: string,
  record: RunNodeRecord,
): Promise<void> {
  await db.query(`INSERT INTO run_nodes VALUES ($1, $2, $3, 1, $4)`, [
    organizationId,
    runId,
    record.nodeKey,
    JSON.stringify(record),
  ]);
}
