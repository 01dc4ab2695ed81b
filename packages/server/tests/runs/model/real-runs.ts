import { createHash, randomUUID } from "node:crypto";
import { expect } from "vitest";
import { isTerminal, runTransitions } from "../../../src/domain/run-status.ts";
import type { RunStatus } from "@millrace/contract/run-status";
import type { Pool } from "pg";
import { addOrganization } from "../../support/workspace.ts";
import { LIMITS, type RunModel } from "./run-model.ts";

/** The database side of a model run: one organization, three processes, and a clock that only tests turn. */
export class RealRuns {
  readonly pool: Pool;
  readonly organizationId = `org_${randomUUID().slice(0, 8)}`;
  readonly processes = [randomUUID(), randomUUID(), randomUUID()];
  readonly #seen = new Map<string, RunStatus>();

  constructor(pool: Pool) {
    this.pool = pool;
  }

  async open(nowMs: number): Promise<void> {
    await this.setNow(nowMs);
    await addOrganization(this.pool, this.organizationId, LIMITS);
    await this.pool.query(`UPDATE organizations SET credits_limited = true WHERE id = $1`, [
      this.organizationId,
    ]);
    await this.pool.query(
      `INSERT INTO credit_entries (organization_id, id, kind, amount) VALUES ($1, 'opening', 'opening', $2)`,
      [this.organizationId, LIMITS.credits],
    );
    for (const worker of this.processes.keys()) await this.join(worker);
  }

  async join(worker: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO processes (id, lock_key, role, host, pid, version) VALUES ($1, 0, 'worker', 'model', 1, 'test')`,
      [this.processes[worker]],
    );
  }

  async close(): Promise<void> {
    for (const table of ["runs", "run_payloads", "run_nodes", "run_results", "run_waits", "idempotency_keys"])
      await this.pool.query(`DELETE FROM ${table} WHERE organization_id = $1`, [this.organizationId]);
    await this.pool.query(`DELETE FROM organizations WHERE id = $1`, [this.organizationId]);
    await this.pool.query(`DELETE FROM processes WHERE id = ANY($1)`, [this.processes]);
  }

  /** The pool has one connection, so this is the time of everything that follows. */
  async setNow(nowMs: number): Promise<void> {
    await this.pool.query(`SELECT set_config('millrace.now', $1, false)`, [new Date(nowMs).toISOString()]);
  }

  async beat(worker: number): Promise<void> {
    await this.pool.query(`UPDATE processes SET heartbeat_at = millrace_now() WHERE id = $1`, [
      this.processes[worker],
    ]);
  }

  /** Everything that must hold after every step, whatever the step was. */
  async check(model: RunModel): Promise<void> {
    const { rows } = await this.pool.query(
      `SELECT r.id, r.status, r.stage, r.priority::integer AS priority, r.epoch, r.process_id AS owner, r.attempt, r.recoveries,
              r.holds_slot, r.finished_epoch, r.started_at IS NOT NULL AS started, r.max_attempts,
              (SELECT coalesce(json_object_agg(n.node_key, n.epoch), '{}') FROM run_nodes n WHERE n.organization_id = r.organization_id AND n.run_id = r.id) AS nodes,
              (SELECT coalesce(json_object_agg(w.node_key, w.answered_at IS NOT NULL), '{}') FROM run_waits w WHERE w.organization_id = r.organization_id AND w.run_id = r.id) AS waits,
              (SELECT json_agg(c.amount) FROM credit_entries c WHERE c.organization_id = r.organization_id AND c.run_id = r.id AND c.kind = 'reserve') AS reserved,
              (SELECT json_agg(c.amount) FROM credit_entries c WHERE c.organization_id = r.organization_id AND c.run_id = r.id AND c.kind = 'settle') AS settled
         FROM runs r WHERE r.organization_id = $1 ORDER BY r.id`,
      [this.organizationId],
    );
    this.#checkRules(rows);
    await this.#checkWhole(model, rows);
    const rulesOnly = { holds_slot: undefined, max_attempts: undefined, reserved: undefined };
    expect(rows.map((row) => ({ ...row, ...rulesOnly }))).toEqual(
      model.runs.map((run) => ({
        id: run.id,
        status: run.status,
        stage: run.stage,
        priority: run.priority,
        epoch: run.epoch,
        owner: run.owner === undefined ? null : this.processes[run.owner],
        attempt: run.attempt,
        recoveries: run.recoveries,
        started: run.started,
        finished_epoch: run.finishedEpoch ?? null,
        nodes: Object.fromEntries(run.nodes),
        waits: Object.fromEntries([...run.waits].map(([key, { answered }]) => [key, answered])),
        settled: run.settled === undefined ? null : [run.settled],
      })),
    );
  }

  /** Rules of a single row; no model is needed to know them. */
  #checkRules(rows: Record<string, unknown>[]): void {
    for (const row of rows) {
      const id = row["id"] as string;
      const status = row["status"] as RunStatus;
      const before = this.#seen.get(id);
      // Two steps in one statement: paused and answered, or dispatched and claimed.
      if (before !== undefined && before !== status) expect(runTransitions[before]).toContain(status);
      this.#seen.set(id, status);
      expect(row["reserved"]).toHaveLength(1);
      expect(row["settled"] === null).toBe(!isTerminal(status));
      expect(row["finished_epoch"]).toBe(isTerminal(status) ? row["epoch"] : null);
      expect(Number(row["attempt"])).toBeLessThanOrEqual(Number(row["max_attempts"]));
      expect(Number(row["recoveries"])).toBeLessThanOrEqual(3);
      expect(row["owner"] !== null).toBe(status === "EXECUTING");
      for (const epoch of Object.values(row["nodes"] as Record<string, number>))
        expect(epoch).toBeLessThanOrEqual(Number(row["epoch"]));
    }
  }

  async #checkWhole(model: RunModel, rows: Record<string, unknown>[]): Promise<void> {
    const slots = rows.filter((row) => row["holds_slot"]).length;
    expect(slots).toBeLessThanOrEqual(LIMITS.concurrency);
    expect(slots).toBe(model.holding().length);
    const whole = await this.pool.query(
      `SELECT (SELECT sum(amount)::integer FROM credit_entries WHERE organization_id = $1) AS balance,
              (SELECT coalesce(json_object_agg(encode(key_hash, 'hex'), run_id), '{}') FROM idempotency_keys WHERE organization_id = $1) AS keys`,
      [this.organizationId],
    );
    expect(whole.rows[0].balance).toBe(model.balance);
    expect(model.balance).toBeGreaterThanOrEqual(0);
    expect(whole.rows[0].keys).toEqual(
      Object.fromEntries([...model.keys].map(([key, id]) => [hashOf(key).toString("hex"), id])),
    );
  }
}

export function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
