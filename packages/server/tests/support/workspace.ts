import { apiKeyHint, hashApiKey, type KeyScope, makeApiKey } from "../../src/domain/api-key.ts";
import { IdMaker } from "../../src/domain/ids.ts";
import type { RawDb } from "./database.ts";

const ids = new IdMaker(() => Date.now());

export interface KeyOptions {
  readonly scope?: KeyScope;
  readonly organizationId?: string;
  readonly userId?: string;
  /** `owner` unless stated, so that the role of its user decides. */
  readonly role?: string;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

export async function addOrganization(
  db: RawDb,
  id: string,
  options: { suspended?: boolean; concurrency?: number; queue?: number } = {},
): Promise<void> {
  await db.query(
    `INSERT INTO organizations (id, name, suspended, concurrency_limit, queue_limit) VALUES ($1, $1, $2, $3, $4)`,
    [id, options.suspended ?? false, options.concurrency ?? 10, options.queue ?? 10_000],
  );
}

export async function addUser(
  db: RawDb,
  id: string,
  roles: Record<string, string>,
  disabled = false,
): Promise<void> {
  await db.query(
    `INSERT INTO users (id, email, name, disabled) VALUES ($1, $1 || '@example.com', initcap($1), $2)`,
    [id, disabled],
  );
  for (const [organizationId, role] of Object.entries(roles)) {
    await db.query(`INSERT INTO memberships VALUES ($1, $2, $3)`, [organizationId, id, role]);
  }
}

export async function addKey(db: RawDb, options: KeyOptions): Promise<{ id: string; key: string }> {
  const scope = options.scope ?? "org";
  const key = makeApiKey(scope);
  const id = ids.make("key");
  const expiresAt = options.expiresAt ?? new Date(Date.now() + 86_400_000);
  await db.query(
    `INSERT INTO api_keys (id, hash, scope, organization_id, user_id, name, hint, expires_at, revoked_at)
     VALUES ($1, $2, $3, $4, $5, 'test', $6, $7, $8)`,
    [
      id,
      hashApiKey(key),
      scope,
      scope === "org" ? options.organizationId : null,
      options.userId,
      apiKeyHint(key),
      expiresAt,
      options.revokedAt,
    ],
  );
  // Apart: a database of a release before knows no roles of keys.
  await db.query(
    `DO $$ BEGIN UPDATE api_keys SET role = '${options.role ?? "owner"}' WHERE id = '${id}';
     EXCEPTION WHEN undefined_column THEN NULL; END $$`,
  );
  return { id, key };
}

export async function addFlow(
  db: RawDb,
  organizationId: string,
  id: string,
  options: { active?: boolean; graph?: object; version?: string; settings?: object } = {},
): Promise<void> {
  const version = options.version ?? "20260101.1";
  await db.query(
    `INSERT INTO flows (organization_id, id, name, slug, active, version) VALUES ($1, $2, $2, NULL, $3, $4)`,
    [organizationId, id, options.active ?? true, version],
  );
  await db.query(
    `INSERT INTO flow_versions (organization_id, flow_id, version, hash, graph) VALUES ($1, $2, $3, 'hash', $4)`,
    [
      organizationId,
      id,
      version,
      options.graph ?? { nodes: [{ id: "start", type: "start", data: {} }], edges: [] },
    ],
  );
  // Apart: a database of a release before has no such column.
  if (options.settings)
    await db.query(`UPDATE flow_versions SET settings = $3 WHERE flow_id = $1 AND version = $2`, [
      id,
      version,
      options.settings,
    ]);
}

export async function addAgent(
  db: RawDb,
  organizationId: string,
  id: string,
  design: object = { provider: { type: "demo" } },
): Promise<void> {
  await db.query(
    `INSERT INTO agents (organization_id, id, name, model_ids) VALUES ($1, $2, $2, '{small-1}')`,
    [organizationId, id],
  );
  await db.query(`INSERT INTO agent_designs VALUES ($1, $2, $3)`, [organizationId, id, design]);
}

/**
 * Two organizations that must never see each other, and every kind of key the contract knows.
 * `ada` owns org_one, `bob` org_two, `vera` only looks; `eve` is in both.
 */
export async function addTwoOrganizations(db: RawDb) {
  await addOrganization(db, "org_one");
  await addOrganization(db, "org_two");
  await addOrganization(db, "org_suspended", { suspended: true });
  await addUser(db, "ada", { org_one: "owner", org_suspended: "owner" });
  await addUser(db, "bob", { org_two: "owner" });
  await addUser(db, "vera", { org_one: "viewer" });
  await addUser(db, "eve", { org_one: "member", org_two: "member" });
  await addUser(db, "dora", { org_one: "member" }, true);
  await addFlow(db, "org_one", "flow_one");
  await addFlow(db, "org_two", "flow_two");
  await addAgent(db, "org_one", "agent_one");
  await addAgent(db, "org_two", "agent_two");
  const past = new Date(Date.now() - 60_000);
  const key = async (options: KeyOptions) => (await addKey(db, options)).key;
  return {
    one: await key({ organizationId: "org_one", userId: "ada" }),
    two: await key({ organizationId: "org_two", userId: "bob" }),
    viewer: await key({ organizationId: "org_one", userId: "vera" }),
    user: await key({ scope: "user", userId: "eve" }),
    expired: await key({ organizationId: "org_one", userId: "ada", expiresAt: past }),
    revoked: await key({ organizationId: "org_one", userId: "ada", revokedAt: past }),
    suspended: await key({ organizationId: "org_suspended", userId: "ada" }),
    disabled: await key({ organizationId: "org_one", userId: "dora" }),
  };
}
