import { IdMaker } from "../../src/domain/ids.ts";
import { makeWebhookToken } from "../../src/operations/webhooks/make-webhook-token.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import type { RawDb } from "../support/database.ts";
import { addRun } from "../support/runs.ts";
import { chain, hello, node } from "../support/runs-flows.ts";
import {
  addAgent,
  addFlow,
  addKey,
  addOrganization,
  addTwoOrganizations,
  addUser,
} from "../support/workspace.ts";
import { type FuzzApi, makeApi } from "./fuzz-api.ts";
import type { FuzzedService } from "./fuzzed-service.ts";
import { addManageThings, addSpareOrganizations, type ManageThings } from "./manage-things.ts";

/** Everything of the organization that no key here belongs to holds this text. */
export const CANARY = "canary-7Qx2vK";

export interface FuzzWorkspace extends ManageThings {
  readonly keys: Readonly<Record<string, string>>;
  /** Values for the parameters of an address that belong together. */
  readonly own: ManageThings["own"];
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

/** Whatever concerns a whole organization is asked of one that nobody needs. */
const OF_SPARE = new Set(["grantCredits", "startJob", "applyDocuments"]);

/** Whose things an operation is about: the queue is org_two's, everything else org_one's. */
export function ownerOf(operation: string): "one" | "two" | "spare" | "limited" {
  // Limits on requests are among what it changes.
  if (operation === "changeOrganization") return "limited";
  if (OF_SPARE.has(operation)) return "spare";
  return operation.toLowerCase().includes("queue") ? "two" : "one";
}

/** Something of everything an address can name, for the callers and for somebody else. */
export async function addFuzzWorkspace(
  db: RawDb,
  service: FuzzedService,
  modelBaseUrl: string,
): Promise<FuzzWorkspace> {
  const keys = { ...(await addTwoOrganizations(db)), ...(await addSpareOrganizations(db)) };
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
  const receiverUrl = `${modelBaseUrl}/events`;
  const manage = await addManageThings(db, service, { api, key: keys.one, receiverUrl });
  return {
    ...manage,
    keys,
    own: [...own, ...manage.own],
    foreign: await addForeigners(db, api),
    cursors: await api.cursors(keys.one),
    pausedRunId: await api.trigger(keys.one, "flow_ask"),
  };
}

async function addForeigners(db: RawDb, api: FuzzApi): Promise<Record<string, string>> {
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
    ...(await addForeignSettings(db, api, runId)),
  };
}

async function addForeignSettings(db: RawDb, api: FuzzApi, runId: string): Promise<Record<string, string>> {
  const userId = "user_foreign";
  await addUser(db, userId, { org_foreign: "owner" });
  await db.query(`UPDATE users SET name = $2 WHERE id = $1`, [userId, CANARY]);
  const { id: keyId, key } = await addKey(db, { organizationId: "org_foreign", userId });
  await db.query(`UPDATE api_keys SET name = $2 WHERE id = $1`, [keyId, CANARY]);
  const [credentialId, endpointId] = ["credential_foreign", "events_foreign"];
  await api.put(key, `/manage/credentials/${credentialId}`, {
    type: "http-bearer",
    allowedHosts: [CANARY],
    secret: { token: CANARY },
  });
  await api.put(key, `/manage/event-endpoints/${endpointId}`, {
    url: `http://127.0.0.1/${CANARY}`,
    events: ["run.failed"],
  });
  const share = await api.post(key, `/manage/runs/${runId}/share`, {});
  const job = await api.post(key, "/manage/jobs", { action: "retry", filter: { tag: [CANARY] } });
  const session = await api.post(key, "/manage/sessions", { key });
  return {
    userId,
    keyId,
    credentialId,
    endpointId,
    otherRunId: runId,
    shareId: String(share["id"]),
    jobId: String(job["id"]),
    id: String(session["id"]),
  };
}
