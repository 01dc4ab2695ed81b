import { secretPlace } from "../../../src/domain/secret-place.ts";
import { makeWebhookToken } from "../../../src/operations/webhooks/make-webhook-token.ts";
import type { RawDb } from "../../support/database.ts";
import { SecretBox } from "../../../src/storage/secret-box.ts";
import { chain, hello, node } from "../../support/runs-flows.ts";
import { addAgent, addFlow, addOrganization } from "../../support/workspace.ts";
import { type Protocol, protocols } from "../case.ts";
import { addOwnerKey } from "./owner-key.ts";
import { resumeUrlOf } from "./resume-url.ts";
import { ScriptedServer } from "./scripted-server.ts";

export const ORGANIZATION = "org_stalls";
export const SECRET_KEY = Buffer.alloc(32, 7);

export type Upstreams = Readonly<Record<Protocol, ScriptedServer>>;

export async function startUpstreams(): Promise<Upstreams> {
  const entries = protocols.map(async (protocol) => [protocol, await ScriptedServer.listen()] as const);
  return Object.fromEntries(await Promise.all(entries)) as Record<Protocol, ScriptedServer>;
}

export interface StallsWorkspace {
  readonly key: string;
  /** The paths that stand for the names in a request's target. */
  readonly paths: Readonly<Record<string, string>>;
}

/** One organization with something of everything, whose foreign servers all are ours. */
export async function addStallsWorkspace(
  db: RawDb,
  address: string,
  upstreams: Upstreams,
): Promise<StallsWorkspace> {
  await addOrganization(db, ORGANIZATION, { concurrency: 100 });
  const { key } = await addOwnerKey(db, ORGANIZATION);
  await addFlow(db, ORGANIZATION, "flow_hello", { graph: hello });
  await addFlow(db, ORGANIZATION, "flow_ask", {
    graph: chain(node("ask", "approval", { message: "Go on?" })),
  });
  await addAgent(db, ORGANIZATION, "agent_model", {
    provider: { type: "openai-compatible", baseUrl: urlOf(upstreams.chat, "/v1"), model: "small-1" },
  });
  const secrets = new SecretBox(SECRET_KEY);
  await addCredentials(db, secrets, upstreams);
  await addUpstreamFlows(db, upstreams);
  const token = await makeWebhookToken({ db, secrets }, ORGANIZATION, "flow_hello");
  const runId = await startRun(address, key, "flow_ask");
  return {
    key,
    paths: {
      webhook: `/app/webhooks/millrace/flow_hello/${token}`,
      resume: new URL(await resumeUrlOf(address, key, runId)).pathname,
      guess: `/app/resume/${runId}/${"a".repeat(43)}`,
      run: `/api/runs/${runId}`,
      sessions: `/api/agents/agent_model/sessions`,
    },
  };
}

async function addCredentials(
  db: RawDb,
  secrets: SecretBox,
  { postgres, smtp, model }: Upstreams,
): Promise<void> {
  const put = async (id: string, type: string, secret: Record<string, string>) => {
    const place = secretPlace(ORGANIZATION, "credential", id);
    const text = JSON.stringify(secret);
    await db.query(
      `INSERT INTO credentials (organization_id, id, type, allowed_hosts, ciphertext, fingerprint)
       VALUES ($1, $2, $3, '{127.0.0.1}', $4, $5)`,
      [ORGANIZATION, id, type, secrets.seal(place, text), secrets.fingerprint(place, text)],
    );
  };
  await put("cred_postgres", "postgres", {
    connectionString: `postgres://u:p@127.0.0.1:${postgres.port}/d?sslmode=disable`,
  });
  await put("cred_smtp", "smtp", { host: "127.0.0.1", port: String(smtp.port), secure: "false" });
  await put("cred_model", "model-provider", { baseUrl: urlOf(model, "/v1") });
  // An older release, measured to compare with, has no such column and sends them anyway.
  await db.query(`UPDATE credentials SET allow_unencrypted = true`).catch(() => {});
}

async function addUpstreamFlows(db: RawDb, { http, mcp }: Upstreams): Promise<void> {
  const add = (id: string, type: string, inputs: object, data: object = {}) =>
    addFlow(db, ORGANIZATION, `flow_${id}`, { graph: chain(node("call", type, inputs, data)) });
  const impatient = { timeoutSeconds: 5 };
  await add("http", "http-request", { url: urlOf(http, "/") }, impatient);
  await add("mcp", "mcp-tool", { url: urlOf(mcp, "/mcp"), tool: "search" }, impatient);
  await add("postgres", "sql", { query: "SELECT 1" }, { credential: "cred_postgres", ...impatient });
  const mail = { to: "a@example.com", from: "b@example.com", subject: "s", text: "t" };
  await add("smtp", "email", mail, { credential: "cred_smtp", ...impatient });
  await add("events", "fail", { message: "on purpose" });
  await add("model", "llm", { model: "m", prompt: "p" }, { credential: "cred_model", ...impatient });
}

export function urlOf({ port }: ScriptedServer, path: string): string {
  return `http://127.0.0.1:${port}${path}`;
}

export async function startRun(address: string, key: string, flowId: string): Promise<string> {
  const answer = await fetch(`${address}/api/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ payload: { flowId } }),
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  return data.id;
}
