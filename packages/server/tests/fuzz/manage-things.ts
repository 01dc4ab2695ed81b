import { IdMaker } from "../../src/domain/ids.ts";
import { makeWebhookToken } from "../../src/operations/webhooks/make-webhook-token.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import type { RawDb } from "../support/database.ts";
import { chain, hello, node } from "../support/runs-flows.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";
import type { FuzzApi } from "./fuzz-api.ts";
import type { FuzzedService } from "./fuzzed-service.ts";

type Values = Readonly<Record<string, string>>;

/** What /manage can name. */
export interface ManageThings {
  readonly own: readonly Values[];
  /** For the operations, by name, that would take away what others need. */
  readonly setAside: Readonly<Record<string, readonly Values[]>>;
  /** A right body where a schema alone hardly ever says one, by operation. */
  readonly bodies: Readonly<Record<string, object>>;
}

/** How many there are of what can be used up. */
const SPARE = 6;
const VERSION = "20260101.1";
const greeting = chain(node("done", "return", { value: { text: "Good morning" } }));
const credential = { type: "http-bearer", allowedHosts: ["api.example.com"], secret: { token: "secret" } };

/** An organization whose credits and runs nobody needs, one whose limits change, and the keys of their owners. */
export async function addSpareOrganizations(db: RawDb): Promise<{ spare: string; limited: string }> {
  const add = async (organizationId: string, userId: string) => {
    await addOrganization(db, organizationId);
    await addUser(db, userId, { [organizationId]: "owner" });
    return (await addKey(db, { organizationId, userId })).key;
  };
  const keys = { spare: await add("org_spare", "olga"), limited: await add("org_limited", "lena") };
  await db.query(`UPDATE organizations SET credits_limited = true WHERE id = 'org_spare'`);
  return keys;
}

export async function addManageThings(
  db: RawDb,
  service: FuzzedService,
  { api, key, receiverUrl }: { readonly api: FuzzApi; readonly key: string; readonly receiverUrl: string },
): Promise<ManageThings> {
  const endpoint = { url: receiverUrl, events: ["run.completed"] };
  await api.put(key, "/manage/event-endpoints/events_one", endpoint);
  await api.put(key, "/manage/credentials/credential_one", credential);
  const runs = [await api.ended(key, "flow_hello"), await api.ended(key, "flow_hello")] as const;
  const share = await api.post(key, `/manage/runs/${runs[0]}/share`, {});
  const [shareId, token] = String(share["url"]).split("/").slice(-2);
  const job = await api.post(key, "/manage/jobs", { action: "retry", filter: { flowId: "flow_hello" } });
  return {
    own: [
      { runId: runs[0], otherRunId: runs[1], nodeKey: "greet" },
      { shareId: shareId!, token: token! },
      { jobId: String(job["id"]) },
      { endpointId: "events_one" },
      { eventId: await addEvent(db) },
      { credentialId: "credential_one" },
      { flowId: "flow_hello", version: VERSION, other: VERSION },
      { flowId: "flow_hello", testId: await addTest(api, key, "greets") },
      { flowId: "flow_timed", scheduleId: await addSchedule(api, key) },
    ],
    setAside: {
      ...(await addSpareFlows(db, service)),
      ...(await addSpareSettings(db, { api, key, endpoint })),
      deleteFlowTest: await many(async (at) => ({
        flowId: "flow_hello",
        testId: await addTest(api, key, `spare_${at}`),
      })),
      revokeShare: await many(async () => {
        const { id } = await api.post(key, `/manage/runs/${runs[1]}/share`, {});
        return { runId: runs[1], shareId: String(id) };
      }),
    },
    bodies: {
      signIn: { key },
      startJob: { action: "retry" },
      shareRun: { expiresIn: "1d" },
      createKey: { name: "fuzz", role: "viewer" },
      grantCredits: { amount: 5 },
      setCredential: credential,
      putEventEndpoint: endpoint,
      rotateKey: { overlap: "1h" },
      rotateEventEndpointSecret: { overlap: "1h", force: true },
      resendDeliveries: { since: new Date(Date.now() - 60_000).toISOString() },
      changeMember: { role: "viewer" },
      changeOrganization: { name: "Limited", limits: { queue: 100 } },
      putDraft: { graph: greeting, revision: 0 },
      validateDraft: { graph: greeting },
      testDraft: {
        graph: greeting,
        tests: [{ kind: "FlowTest", id: "greets", flowId: "flow_hello", name: "Greets", expect: {} }],
      },
      createFlow: { name: "Fuzzed" },
      putFlowTest: { document: testOf("greets") },
      publishDraft: { note: "as it was" },
      rollBackFlow: { version: VERSION },
      setVariables: { values: {}, version: 0 },
      applyDocuments: { files: [{ path: "flow.json", text: flowText("org_spare", "flow_applied") }] },
    },
  };
}

const testOf = (id: string) => ({ kind: "FlowTest", id, flowId: "flow_hello", name: "Greets", expect: {} });

async function addTest(api: FuzzApi, key: string, id: string): Promise<string> {
  await api.put(key, `/manage/flows/flow_hello/tests/${id}`, { document: testOf(id) });
  return id;
}

/** Flows that may be broken, stopped and deleted, some with a webhook. */
async function addSpareFlows(
  db: RawDb,
  service: FuzzedService,
): Promise<Readonly<Record<string, readonly Values[]>>> {
  const flows = (name: string) =>
    many(async (at) => {
      const flowId = `flow_${name}_${at}`;
      await addFlow(db, "org_one", flowId, { graph: hello });
      return { flowId };
    });
  const webhooks = async (name: string) => {
    const secrets = new SecretBox(service.secretKey);
    const hooked = await flows(name);
    for (const { flowId } of hooked) await makeWebhookToken({ db, secrets }, "org_one", flowId);
    return hooked;
  };
  const switched = await flows("switched");
  const hooked = await webhooks("hooked");
  return {
    putDraft: await flows("drafted"),
    publishDraft: await flows("published"),
    rollBackFlow: await flows("returned"),
    detachFlow: switched,
    activateFlow: switched,
    deactivateFlow: switched,
    deleteFlow: await flows("deleted"),
    regenerateWebhook: hooked,
    enableWebhook: hooked,
    disableWebhook: hooked,
    deleteWebhook: await webhooks("unhooked"),
  };
}

/** Members, keys, sessions and settings of org_one that nobody else needs. */
async function addSpareSettings(
  db: RawDb,
  { api, key, endpoint }: { readonly api: FuzzApi; readonly key: string; readonly endpoint: object },
): Promise<Readonly<Record<string, readonly Values[]>>> {
  const members = (name: string) =>
    many(async (at) => {
      const userId = `${name}_${at}`;
      await addUser(db, userId, { org_one: "member" });
      return { userId };
    });
  const keys = () =>
    many(async () => {
      const { id } = await api.post(key, "/manage/keys", { name: "spare", role: "viewer" });
      return { keyId: String(id) };
    });
  return {
    changeOrganization: [{ organizationId: "org_limited" }],
    changeMember: await members("changed"),
    removeMember: await members("removed"),
    rotateKey: await keys(),
    revokeKey: await keys(),
    endConsoleSession: await many(async () => {
      const { id } = await api.post(key, "/manage/sessions", { key });
      return { id: String(id) };
    }),
    deleteCredential: await many(async (at) => {
      const credentialId = `credential_deleted_${at}`;
      await api.put(key, `/manage/credentials/${credentialId}`, credential);
      return { credentialId };
    }),
    deleteEventEndpoint: await many(async (at) => {
      const endpointId = `events_deleted_${at}`;
      await api.put(key, `/manage/event-endpoints/${endpointId}`, endpoint);
      return { endpointId };
    }),
  };
}

async function addEvent(db: RawDb): Promise<string> {
  const id = new IdMaker(() => Date.now()).make("evt");
  await db.query(
    `INSERT INTO events (organization_id, id, type, data, created_at) VALUES ('org_one', $1, 'agent.session_created', '{}', millrace_now())`,
    [id],
  );
  return id;
}

async function addSchedule(api: FuzzApi, key: string): Promise<string> {
  const schedules = [{ id: "nightly", cron: "0 3 * * *" }];
  const text = flowText("org_one", "flow_timed", { schedules });
  await api.post(key, "/manage/documents", { files: [{ path: "flow.json", text }] });
  return "nightly";
}

function flowText(organizationId: string, id: string, more: object = {}): string {
  return JSON.stringify({ kind: "Flow", id, organizationId, name: id, graph: greeting, ...more });
}

async function many<Thing>(make: (at: number) => Promise<Thing>): Promise<Thing[]> {
  const things: Thing[] = [];
  for (let at = 0; at < SPARE; at++) things.push(await make(at));
  return things;
}
