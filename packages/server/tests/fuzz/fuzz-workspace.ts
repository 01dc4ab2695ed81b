import { IdMaker } from "../../src/domain/ids.ts";
import { makeWebhookToken } from "../../src/operations/webhooks/make-webhook-token.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import type { RawDb } from "../support/database.ts";
import { addRun } from "../support/runs.ts";
import { chain, hello, node } from "../support/runs-flows.ts";
import { addAgent, addFlow, addOrganization, addTwoOrganizations } from "../support/workspace.ts";
import type { FuzzedService } from "./fuzzed-service.ts";

/** Everything of the organization that no key here belongs to holds this text. */
export const CANARY = "canary-7Qx2vK";

export interface FuzzWorkspace {
  readonly keys: Readonly<Record<string, string>>;
  /** Values for the parameters of an address that belong together. */
  readonly own: readonly Readonly<Record<string, string>>[];
  readonly foreign: Readonly<Record<string, string>>;
  readonly cursors: readonly string[];
  /** Nobody answers this one. */
  readonly pausedRunId: string;
}

const PAUSED_RUNS = 12;
const DELAYED_RUNS = 12;
const QUEUED_RUNS = 12;
const SESSIONS = 6;
const ids = new IdMaker(() => Date.now());

/** Something of everything an address can name, for the callers and for somebody else. */
export async function addFuzzWorkspace(
  db: RawDb,
  service: FuzzedService,
  modelBaseUrl: string,
): Promise<FuzzWorkspace> {
  const keys = await addTwoOrganizations(db);
  await addFlow(db, "org_one", "flow_hello", { graph: hello });
  await addFlow(db, "org_one", "flow_ask", {
    graph: chain(node("ask", "approval", { message: "Go on?" })),
  });
  await addFlow(db, "org_one", "flow_hook", { graph: hello });
  await addAgent(db, "org_one", "agent_model", {
    provider: { type: "openai-compatible", baseUrl: modelBaseUrl, model: "small-1" },
  });
  const token = await makeWebhookToken(
    { db, secrets: new SecretBox(service.secretKey) },
    "org_one",
    "flow_hook",
  );
  // Nothing of org_two ever starts, so that there always is a queue.
  await db.query(`UPDATE organizations SET concurrency_limit = 0 WHERE id = 'org_two'`);
  await addFlow(db, "org_two", "flow_queued", { graph: hello });

  const api = makeApi(service.address);
  const own: Record<string, string>[] = [
    { flowId: "flow_hook", token },
    { flowId: "flow_hello", runId: await api.trigger(keys.one, "flow_hello"), agentId: "agent_one" },
  ];
  for (let count = 0; count < QUEUED_RUNS; count++)
    own.push({ queueId: await api.trigger(keys.two, "flow_queued") });
  for (let count = 0; count < DELAYED_RUNS; count++)
    own.push({ runId: await api.trigger(keys.one, "flow_hello", { delay: "2d" }) });
  for (let count = 0; count < SESSIONS; count++)
    own.push({ agentId: "agent_model", sessionId: await api.session(keys.one, "agent_model") });
  const paused: string[] = [];
  for (let count = 0; count < PAUSED_RUNS; count++) paused.push(await api.trigger(keys.one, "flow_ask"));
  for (const runId of paused) own.push({ runId, token: await api.resumeToken(keys.one, runId) });
  return {
    keys,
    own,
    foreign: await addForeigners(db),
    cursors: await api.cursors(keys.one),
    pausedRunId: await api.trigger(keys.one, "flow_ask"),
  };
}

async function addForeigners(db: RawDb): Promise<Record<string, string>> {
  const organizationId = "org_foreign";
  await addOrganization(db, organizationId);
  await addFlow(db, organizationId, "flow_foreign", { graph: hello });
  await addAgent(db, organizationId, "agent_foreign");
  await db.query(`UPDATE organizations SET name = $2 WHERE id = $1`, [organizationId, CANARY]);
  await db.query(`UPDATE flows SET name = $2 WHERE organization_id = $1`, [organizationId, CANARY]);
  await db.query(`UPDATE agents SET name = $2, model_ids = ARRAY[$2] WHERE organization_id = $1`, [
    organizationId,
    CANARY,
  ]);
  const runId = await addRun(db, {
    organizationId,
    flowId: "flow_foreign",
    status: "COMPLETED",
    answeredQueued: true,
    tags: [CANARY],
    data: { secret: CANARY },
    output: { secret: CANARY },
  });
  const sessionId = ids.make("session");
  await db.query(
    `INSERT INTO agent_sessions (organization_id, id, agent_id, external_id, end_user_id) VALUES ($1, $2, 'agent_foreign', $3, $3)`,
    [organizationId, sessionId, CANARY],
  );
  return {
    organizationId,
    flowId: "flow_foreign",
    agentId: "agent_foreign",
    runId,
    queueId: runId.replace("run_", "queue_"),
    sessionId,
  };
}

function makeApi(address: string) {
  const call = async (key: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(address + path, {
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return (JSON.parse(text) as { data: Record<string, unknown> }).data;
  };
  return {
    trigger: async (key: string, flowId: string, more: object = {}): Promise<string> => {
      const payload = { flowId, data: { name: "Ada" } };
      const { id, queueId } = await call(key, "/api/runs", { payload, ...more });
      return String(id ?? queueId);
    },
    session: async (key: string, agentId: string): Promise<string> =>
      String((await call(key, `/api/agents/${agentId}/sessions`, {}))["sessionId"]),
    resumeToken: async (key: string, runId: string): Promise<string> => {
      for (let looks = 0; looks < 500; looks++) {
        const { pause } = (await call(key, `/api/runs/${runId}`)) as { pause?: { resumeUrl: string } };
        if (pause) return pause.resumeUrl.split("/").at(-1)!;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`the run ${runId} was never paused`);
    },
    cursors: async (key: string): Promise<string[]> => {
      const { pagination } = (await call(key, "/api/runs?page[size]=2")) as {
        pagination: { next: string };
      };
      return [pagination.next];
    },
  };
}
