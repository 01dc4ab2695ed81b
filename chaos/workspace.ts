import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { apiKeyHint, hashApiKey, makeApiKey } from "../packages/server/src/domain/api-key.ts";
import { IdMaker } from "../packages/server/src/domain/ids.ts";
import { findEndpoint, showSecret } from "../packages/server/src/operations/events/manage-endpoint.ts";
import { showWebhook } from "../packages/server/src/operations/webhooks/manage-webhook.ts";
import { SecretBox } from "../packages/server/src/storage/secret-box.ts";
import type { Pool } from "pg";
import type { EventReceiver } from "./event-receiver.ts";
import { flowsOf, SCHEDULE_ID, SCHEDULED_FLOW } from "./flows.ts";
import { runCommand } from "./run-command.ts";

export interface ChaosOrganization {
  readonly id: string;
  readonly concurrency: number;
  /** Opening balance; undefined: unlimited. */
  readonly credits?: number;
  readonly listens: boolean;
}

/** Organizations that differ in what makes them interesting: slots, credits, and whether anyone listens. */
export const ORGANIZATIONS: readonly ChaosOrganization[] = [
  { id: "org_large", concurrency: 20, listens: true },
  { id: "org_small", concurrency: 2, listens: true },
  { id: "org_paid", concurrency: 6, credits: 1_000_000, listens: true },
  { id: "org_poor", concurrency: 4, credits: 600, listens: false },
  // Kept apart for the probes after the faults.
  { id: "org_late", concurrency: 4, listens: false },
  { id: "org_poison", concurrency: 1, listens: false },
];
/** The ones that random clients use. */
export const BUSY = ORGANIZATIONS.slice(0, 4);

export interface Workspace {
  readonly keys: ReadonlyMap<string, string>;
  /** Path of the inbound webhook by organization. */
  readonly webhooks: ReadonlyMap<string, string>;
}

/** Texts that nobody but their owner may ever see. */
export const secretCanary = (organizationId: string) => `canary-secret-of-${organizationId}-0c4a`;
export const dataCanary = (organizationId: string) => `canary-data-of-${organizationId}-9e1f`;

/** It needs no model. */
export const agentOf = (organizationId: string) => `agent_${organizationId}`;
const endpointOf = (organizationId: string) => `hooks_${organizationId}`;

/** Applied by the real command, keys apart: those are only inserted. */
export async function makeWorkspace(
  { pool, env, directory }: { pool: Pool; env: Record<string, string>; directory: string },
  effectsUrl: string,
  receiver: EventReceiver,
): Promise<Workspace> {
  const documents = ORGANIZATIONS.flatMap((organization) =>
    documentsOf(organization, effectsUrl, receiver.url),
  );
  await mkdir(directory, { recursive: true });
  const file = join(directory, "workspace.yaml");
  await writeFile(file, documents.map((document) => JSON.stringify(document)).join("\n---\n"));
  const report = await runCommand(["apply", file], env);
  if (report.includes("error:")) throw new Error(report);

  const keys = new Map<string, string>();
  for (const { id } of ORGANIZATIONS) keys.set(id, await insertKey(pool, id));
  const secrets = new SecretBox(Buffer.from(env["MILLRACE_SECRET_KEY"]!, "base64"), []);
  const webhooks = new Map<string, string>();
  for (const { id } of BUSY) {
    const flowId = `${id}_effects`;
    const { token } = await showWebhook({ pool, secrets }, flowId);
    webhooks.set(id, `/app/webhooks/millrace/${flowId}/${token}`);
  }
  for (const { id } of ORGANIZATIONS.filter(({ listens }) => listens)) {
    const endpoint = await findEndpoint({ pool }, endpointOf(id), id);
    receiver.secrets.set(id, (await showSecret({ pool, secrets }, endpoint)).secret);
  }
  return { keys, webhooks };
}

function documentsOf(
  { id, concurrency, credits, listens }: ChaosOrganization,
  effectsUrl: string,
  receiverUrl: string,
): object[] {
  return [
    {
      kind: "Organization",
      id,
      name: id,
      limits: { concurrency, queue: 5_000, requestsPerMinute: 0 },
      credits: credits ?? null,
      members: [{ id: `user_${id}`, email: `${id}@example.com`, name: id, role: "owner" }],
    },
    {
      kind: "Credential",
      id: `cred_${id}`,
      organizationId: id,
      type: "http-bearer",
      allowedHosts: ["127.0.0.1"],
      allowUnencrypted: true,
      secret: { token: secretCanary(id) },
    },
    ...flowsOf(id, effectsUrl).map((flow) => ({
      ...flow,
      ...(flow.id.endsWith("_effects") && { webhook: { enabled: true } }),
      ...(flow.id === `${id}_${SCHEDULED_FLOW}` &&
        id === "org_large" && {
          schedules: [{ id: SCHEDULE_ID, cron: "* * * * *", timezone: "UTC", data: {} }],
        }),
    })),
    {
      kind: "Agent",
      id: agentOf(id),
      organizationId: id,
      name: id,
      design: { provider: { type: "demo" } },
    },
    ...(listens
      ? [
          {
            kind: "EventEndpoint",
            id: endpointOf(id),
            organizationId: id,
            url: `${receiverUrl}/${id}`,
            events: ["run.*", "queue.*", "agent.*"],
          },
        ]
      : []),
  ];
}

async function insertKey(pool: Pool, organizationId: string): Promise<string> {
  const key = makeApiKey("org");
  const id = new IdMaker(() => Date.now()).make("key");
  await pool.query(
    `INSERT INTO api_keys (id, hash, scope, organization_id, user_id, name, hint, expires_at)
     VALUES ($1, $2, 'org', $3, $4, 'chaos', $5, now() + interval '1 year')`,
    [id, hashApiKey(key), organizationId, `user_${organizationId}`, apiKeyHint(key)],
  );
  return key;
}
