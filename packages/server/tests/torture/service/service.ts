import { setTimeout as sleep } from "node:timers/promises";
import { type ClientConfig, Pool } from "pg";
import { isTerminal } from "../../../src/domain/run-status.ts";
import { addFlow, addKey, addOrganization, addUser } from "../../support/workspace.ts";
import type { Case } from "../case.ts";
import { decisionOf } from "../dry-run.ts";
import { features } from "../features.ts";
import type { Observed, ObservedRecord, ObservedRun } from "../observed.ts";
import { flowIdOf, isLastHold } from "../places.ts";
import { type Prepared, TRIGGER_DATA } from "../prepare.ts";
import type { Receiver } from "../receiver.ts";
import { type Api, apiOf } from "./api.ts";
import { Processes } from "./processes.ts";

const ORGANIZATIONS = ["org_one", "org_two", "org_three"];
const LOOK_MS = 200;
const MAX_CASE_MS = 240_000;
/** How long calls that should not come are waited for. */
const SILENCE_MS = 700;
const MAX_DURATION_SECONDS = 3;

interface Row {
  readonly id: string;
  readonly status: string;
  readonly parentId: string | null;
  readonly parentKey: string | null;
  readonly recoveries: number;
  /** Seconds since anything became of it. */
  readonly stillFor: number;
}

interface Watched {
  readonly faults: string[];
  rows: readonly Row[];
  readonly done: () => void;
}

/** The service as people run it, with many cases in it at once. */
export class TorturedService {
  readonly processes: Processes;
  readonly #pool: Pool;
  readonly #receiver: Receiver;
  readonly #keys = new Map<string, string>();
  /** By the id of the run that was triggered. */
  readonly #watched = new Map<string, Watched>();
  readonly #answered = new Set<string>();
  readonly #stop = new AbortController();
  #api!: Api;
  #watching: Promise<void> | undefined;

  constructor(connection: ClientConfig, receiver: Receiver) {
    // Patient, unlike the service's own: a crowded machine is not what is judged here.
    this.#pool = new Pool({ ...connection, max: 6 }).on("error", () => {});
    this.#receiver = receiver;
    this.processes = new Processes(this.#pool, connection);
  }

  async start(): Promise<void> {
    for (const id of ORGANIZATIONS) {
      await addOrganization(this.#pool, id, { concurrency: 1_000, queue: 100_000 });
      await addUser(this.#pool, `owner_${id}`, { [id]: "owner" });
      const { key } = await addKey(this.#pool, { organizationId: id, userId: `owner_${id}` });
      this.#keys.set(id, key);
    }
    this.#api = apiOf(await this.processes.start());
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
    await this.processes.stop();
    await this.#pool.end();
  }

  organizationOf(number: number): string {
    return ORGANIZATIONS[number % ORGANIZATIONS.length]!;
  }

  /** One case from its trigger until nothing of it is left to happen. */
  async run({ caseId, documents, torture }: Prepared): Promise<Observed> {
    const { organizationId } = documents[0]!;
    const key = this.#keys.get(organizationId)!;
    const faults: string[] = [];
    let runId = "";
    let isCancelled = false;
    const calls = this.#receiver.expect(caseId, (call) => {
      if (isCancelled || !isLastHold(torture, call.at, call.key)) return;
      isCancelled = true;
      void this.#cancel(() => runId, key, faults);
    });
    try {
      for (const { id, graph } of documents) await addFlow(this.#pool, organizationId, id, { graph });
      const trigger = await this.#api("POST", "/api/runs", key, this.#triggerOf(caseId, torture));
      const { id, queueId } = trigger.body.data ?? {};
      if (trigger.status > 202) faults.push(`the trigger was answered ${JSON.stringify(trigger)}`);
      else {
        runId = id ?? `run_${String(queueId).slice("queue_".length)}`;
        await this.#untilDone(runId, faults);
        await sleep(SILENCE_MS);
      }
      const rows = await this.#familyOf([runId]);
      const runs = await Promise.all(rows.map((row) => this.#observe(row, key)));
      return { runs, knowsChildren: true, calls: [...calls], faults };
    } catch (error) {
      return { runs: [], knowsChildren: true, calls: [...calls], faults: [...faults, String(error)] };
    } finally {
      this.#receiver.forget(caseId);
    }
  }

  #triggerOf(caseId: string, { ending, maxAttempts }: Case): object {
    return {
      payload: { flowId: flowIdOf(caseId, "root"), data: TRIGGER_DATA },
      // A trigger that was answered too late is sent again, and may have begun a run.
      idempotencyKey: caseId,
      ...(maxAttempts > 1 && { maxAttempts }),
      ...(ending === "max-duration" && { maxDuration: MAX_DURATION_SECONDS }),
    };
  }

  async #cancel(runId: () => string, key: string, faults: string[]): Promise<void> {
    // The call may be quicker than the answer to the trigger.
    while (runId() === "" && faults.length === 0) await sleep(10);
    const { status, body } = await this.#api("POST", `/api/runs/${runId()}/cancel`, key);
    if (status !== 200) faults.push(`the cancel was answered ${status} ${JSON.stringify(body)}`);
  }

  async #untilDone(runId: string, faults: string[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const watched: Watched = { faults, rows: [], done: resolve };
    this.#watched.set(runId, watched);
    const timer = setTimeout(() => {
      const open = watched.rows.filter(({ status }) => !isTerminal(status as never));
      faults.push(`did not end: ${open.map(tell).join(", ")}`);
      resolve();
    }, MAX_CASE_MS);
    await promise;
    clearTimeout(timer);
    this.#watched.delete(runId);
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const ids = [...this.#watched.keys()];
      if (ids.length > 0) {
        const families = Map.groupBy(await this.#familyOf(ids), ({ id, parentId }) => parentId ?? id);
        for (const [id, rows] of families) {
          const watched = this.#watched.get(id);
          if (!watched) continue;
          watched.rows = rows;
          if (rows.every(({ status }) => isTerminal(status as never))) watched.done();
        }
        await this.#answerApprovals();
      }
      await sleep(LOOK_MS);
    }
  }

  async #familyOf(ids: readonly string[]): Promise<Row[]> {
    const { rows } = await this.#pool.query<Row>(
      `SELECT id, status, parent_run_id AS "parentId", parent_node_key AS "parentKey", recoveries,
              extract(epoch FROM millrace_now() - updated_at)::integer AS "stillFor"
         FROM runs WHERE organization_id = ANY($1) AND (id = ANY($2) OR parent_run_id = ANY($2))`,
      [ORGANIZATIONS, ids],
    );
    return rows;
  }

  async #answerApprovals(): Promise<void> {
    const { rows } = await this.#pool.query(
      `SELECT w.organization_id AS "organizationId", w.run_id AS "runId", w.node_key AS "nodeKey", w.message,
              r.parent_run_id AS "parentId"
         FROM run_waits w JOIN runs r ON r.organization_id = w.organization_id AND r.id = w.run_id
        WHERE w.kind = 'approval' AND w.answered_at IS NULL AND r.completed_at IS NULL
          AND w.organization_id = ANY($1) AND (r.id = ANY($2) OR r.parent_run_id = ANY($2))
          AND (w.message LIKE '% approved %' OR w.message LIKE '% rejected %')`,
      [ORGANIZATIONS, [...this.#watched.keys()]],
    );
    // An answer that did not arrive is given again: whatever is still asked is asked again.
    await Promise.allSettled(rows.map((row) => this.#answer(row)));
  }

  /** Twice: the first answer counts, and nobody else's. */
  async #answer({
    organizationId,
    runId,
    nodeKey,
    message,
    parentId,
  }: Record<"organizationId" | "runId" | "nodeKey" | "message", string> & {
    parentId: string | null;
  }): Promise<void> {
    const name = `${runId}:${nodeKey}`;
    if (this.#answered.has(name)) return;
    const path = `/api/runs/${runId}/resume`;
    const key = this.#keys.get(organizationId)!;
    const body = { nodeId: nodeKey, ...decisionOf(message) };
    const first = await this.#api("POST", path, key, body);
    // Its run may have ended, or be about to ask: whatever is still asked is answered next time.
    if (first.status !== 200) return;
    this.#answered.add(name);
    if (!features.answersByKey) return;
    const second = await this.#api("POST", path, key, { ...body, decision: "rejected", data: { d: -1 } });
    if (second.status !== 400)
      this.#watched
        .get(parentId ?? runId)
        ?.faults.push(`${name}: a second answer was answered ${second.status}`);
  }

  async #observe({ id, parentKey, recoveries }: Row, key: string): Promise<ObservedRun> {
    const { body } = await this.#api("GET", `/api/runs/${id}`, key);
    const nodes = await this.#api("GET", `/api/runs/${id}/nodes`, key);
    if (!body.data || !nodes.body.data)
      throw new Error(`${id} cannot be read: ${JSON.stringify([body, nodes])}`);
    // What has not ended was under way when its worker was lost.
    const records = (nodes.body.data as ({ nodeKey: string } & ObservedRecord)[]).filter(
      ({ status: ended }) => ended !== "EXECUTING",
    );
    return {
      at: parentKey === null ? "root" : `root/${parentKey}`,
      runId: id,
      status: body.data.status,
      output: body.data.output,
      error: body.data.error,
      records: Map.groupBy(records, ({ nodeKey }) => nodeKey),
      losses: recoveries,
    };
  }
}

function tell({ parentKey, status, stillFor, recoveries }: Row): string {
  return `${parentKey ?? "root"} ${status} for ${stillFor} s, ${recoveries} workers lost`;
}
