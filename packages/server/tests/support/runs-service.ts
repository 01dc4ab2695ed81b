import { type RunStatus, terminalStatuses } from "@millrace/contract/run-status";
import { withPrefix } from "../../src/domain/ids.ts";
import { isTerminal } from "../../src/domain/run-status.ts";
import type { TestGraph } from "./runs-flows.ts";
import { until } from "./runs-until.ts";
import { startTestService, type TestAnswer, type TestService } from "./service.ts";
import { addFlow, addKey, addOrganization, addUser } from "./workspace.ts";

export interface RunTestService extends TestService {
  /** Of an owner of org_run. */
  readonly key: string;
  flow(id: string, graph: TestGraph, options?: { active?: boolean }): Promise<string>;
  trigger(flowId: string, body?: Record<string, unknown>, key?: string): Promise<TestAnswer>;
  /** Triggers; the id of the run, whether it begins or waits in the queue. */
  begin(flowId: string, body?: Record<string, unknown>, key?: string): Promise<string>;
  untilStatus(runId: string, ...statuses: RunStatus[]): Promise<TestAnswer["body"]>;
  untilEnd(runId: string): Promise<TestAnswer["body"]>;
  row(runId: string): Promise<Record<string, unknown>>;
  status(runId: string): Promise<RunStatus>;
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of every shape
  rows(query: string, ...values: unknown[]): Promise<any[]>;
  children(runId: string): Promise<ChildRow[]>;
  untilChild(runId: string, ...statuses: RunStatus[]): Promise<ChildRow>;
  /** The time of all nodes that wait is over, or of those with this id. */
  timeOut(runId: string, nodeId?: string): Promise<void>;
  nodes(runId: string): Promise<TestAnswer["body"][]>;
  resume(runId: string, body: object, key?: string): Promise<TestAnswer>;
}

interface ChildRow {
  readonly id: string;
  readonly status: RunStatus;
}

export interface OrganizationOptions {
  readonly concurrency?: number;
  readonly queue?: number;
  readonly credits?: number;
}

/** A service with an organization of its own, to start runs in. */
export async function startRunService(
  options: OrganizationOptions = {},
  start: () => Promise<TestService> = () => startTestService(),
): Promise<RunTestService> {
  const service = await start();
  const { pool } = service.database;
  await addOrganization(pool, "org_run", options);
  await addUser(pool, "rosa", { org_run: "owner" });
  if (options.credits !== undefined) await limitCredits(service, "org_run", options.credits);
  const { key } = await addKey(pool, { organizationId: "org_run", userId: "rosa" });
  return asRunService(service, key);
}

export function asRunService(service: TestService, ownKey: string): RunTestService {
  const { pool } = service.database;
  const trigger: RunTestService["trigger"] = (flowId, body = {}, key = ownKey) => {
    const { payload, ...rest } = body as { payload?: object };
    return service.send("POST", "/api/runs", { key, body: { payload: { flowId, ...payload }, ...rest } });
  };
  const untilStatus: RunTestService["untilStatus"] = (runId, ...statuses) =>
    until(`${runId} is ${statuses.join(" or ")}`, async () => {
      const { body } = await service.get(`/api/runs/${runId}`, ownKey);
      const status = body.data?.status as RunStatus;
      if (!statuses.includes(status) && isTerminal(status))
        throw new Error(`${runId} ended ${JSON.stringify(body.data)}`);
      return statuses.includes(status) && body.data;
    });
  const rows: RunTestService["rows"] = async (query, ...values) => (await pool.query(query, values)).rows;
  const row: RunTestService["row"] = async (runId) =>
    (await rows(`SELECT * FROM runs WHERE id = $1`, runId))[0];
  const children: RunTestService["children"] = (runId) =>
    rows(`SELECT id, status FROM runs WHERE parent_run_id = $1 ORDER BY id`, runId);
  return {
    ...service,
    key: ownKey,
    trigger,
    untilStatus,
    async flow(id, graph, options) {
      await addFlow(pool, "org_run", id, { graph, ...options });
      // No file brings it.
      await service.database.pool.query(`UPDATE flows SET managed_by = 'console' WHERE id = $1`, [id]);
      return id;
    },
    async begin(flowId, body, key) {
      const answer = await trigger(flowId, body, key);
      if (answer.status > 202) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      const { id, queueId } = answer.body.data;
      return id ?? withPrefix(queueId, "run");
    },
    untilEnd: (runId) => untilStatus(runId, ...terminalStatuses),
    row,
    rows,
    children,
    status: async (runId) => (await row(runId))["status"] as RunStatus,
    untilChild: (runId, ...statuses) =>
      until(`${runId} has a child that is ${statuses.join(" or ")}`, async () =>
        (await children(runId)).find(({ status }) => statuses.includes(status)),
      ),
    timeOut: async (runId, nodeId) => {
      const now = "due_at = clock_timestamp(), expires_at = clock_timestamp()";
      await rows(
        `UPDATE run_waits SET ${now} WHERE run_id = $1 AND node_id = coalesce($2, node_id)`,
        runId,
        nodeId,
      );
    },
    nodes: async (runId) => (await service.get(`/api/runs/${runId}/nodes`, ownKey)).body.data,
    resume: (runId, body, key = ownKey) => service.send("POST", `/api/runs/${runId}/resume`, { key, body }),
  };
}

async function limitCredits(
  { database }: TestService,
  organizationId: string,
  opening: number,
): Promise<void> {
  await database.pool.query(`UPDATE organizations SET credits_limited = true WHERE id = $1`, [
    organizationId,
  ]);
  await database.pool.query(
    `INSERT INTO credit_entries (organization_id, id, kind, amount) VALUES ($1, 'opening', 'opening', $2)`,
    [organizationId, opening],
  );
}
