import { type Command, Option } from "commander";
import type { KeyScope } from "../domain/api-key.ts";
import { type Role, roles } from "../domain/role.ts";
import { createKey } from "../operations/keys/create-key.ts";
import { DEFAULT_OVERLAP_MS, rotateKey } from "../operations/keys/rotate-key.ts";
import { revokeKey } from "../operations/keys/revoke-key.ts";
import { listKeys } from "../storage/keys/list-keys.ts";
import { cliActor } from "./cli-actor.ts";
import { addCommand, type CliDependencies, ids, lifetime, UsageError } from "./cli.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

interface Flags {
  readonly org?: string;
  readonly user?: string;
  readonly json?: boolean;
}

export function registerKeys(program: Command, dependencies: CliDependencies): void {
  const keys = program.command("keys").description("create, list, rotate and revoke API keys");
  addCommand(
    keys,
    "create",
    "create an API key and show it once",
    "keys create --org org_demo --name ci --expires 90d",
  )
    .option("--org <id>", "the organization of the key")
    .option("--user <id>", "the user the key acts as (default: the organization's first owner)")
    .addOption(new Option("--scope <scope>", "scope of the key").choices(["org", "user"]).default("org"))
    .addOption(
      new Option("--role <role>", "max role of the key: member starts runs, admin also deploys and manages")
        .choices(roles)
        .default("member"),
    )
    .option("--name <name>", "what the key is for", "cli")
    .option("--expires <time>", "lifetime of the key: 12h, 90d, 4w (default: 365d)", lifetime)
    .action((flags: CreateFlags) => create(dependencies, flags));
  addCommand(
    keys,
    "list",
    "list keys; only their first and last characters are shown",
    "keys list --org org_demo",
  )
    .option("--org <id>", "only this organization")
    .option("--user <id>", "only this user")
    .action((flags: Flags) => list(dependencies, flags));
  addCommand(
    keys,
    "rotate <keyId>",
    "replace a key; the old one keeps working for a while",
    "keys rotate key_… --overlap 1h",
  )
    .option("--overlap <time>", "how long the old key keeps working: 0, 30m, 12h (default: 24h)", overlap)
    .option("--expires <time>", "lifetime of the new key (default: that of the old key)", lifetime)
    .action((keyId: string, flags: RotateFlags) => rotate(dependencies, keyId, flags));
  addCommand(
    keys,
    "revoke <keyId>",
    "revoke a key; it stops working everywhere within seconds",
    "keys revoke key_…",
  ).action((keyId: string, flags: Flags) => revoke(dependencies, keyId, flags));
}

function overlap(text: string): number {
  return text === "0" ? 0 : lifetime(text);
}

interface CreateFlags extends Flags {
  readonly scope: KeyScope;
  readonly role: Role;
  readonly name: string;
  readonly expires?: number;
}

async function create(
  { withDatabase, stdout }: CliDependencies,
  { org, user, scope, role, name, expires, json }: CreateFlags,
): Promise<void> {
  if (scope === "org" && !org) throw new UsageError("An organization key needs --org.");
  if (!org && !user) throw new UsageError("A user key needs --user, or --org to use its first owner.");
  const request = { scope, organizationId: org, userId: user, role, name, lifetimeMs: expires };
  const created = await withDatabase("keys create", ({ pool }) =>
    createKey({ pool, ids }, cliActor(), request),
  );
  if (json) return stdout(JSON.stringify(created));
  stdout(
    `${created.key}\n\nKeep it now: it is not shown again. Id ${created.id}, valid until ${created.expiresAt.toISOString()}.`,
  );
}

async function list({ withDatabase, stdout }: CliDependencies, { org, user, json }: Flags): Promise<void> {
  const filter = { organizationId: org, userId: user };
  const keys = await withDatabase("keys list", ({ pool }) => listKeys(pool, filter));
  if (json) return stdout(listJson(keys));
  const rows = keys.map(
    ({ id, hint, name, scope, role, organizationId, userId, state, expiresAt, lastUsedAt }) => ({
      id,
      key: hint,
      name,
      scope,
      role,
      organization: organizationId,
      user: userId,
      state,
      expires: expiresAt,
      "last used": lastUsedAt,
    }),
  );
  stdout(table(rows));
}

interface RotateFlags extends Flags {
  readonly overlap?: number;
  readonly expires?: number;
}

async function rotate(
  { withDatabase, stdout }: CliDependencies,
  keyId: string,
  { overlap: overlapMs = DEFAULT_OVERLAP_MS, expires, json }: RotateFlags,
): Promise<void> {
  const rotated = await withDatabase("keys rotate", ({ pool }) =>
    rotateKey({ pool, ids }, cliActor(), { keyId, overlapMs, lifetimeMs: expires }),
  );
  if (json) return stdout(JSON.stringify(rotated));
  stdout(
    `${rotated.key}\n\nKeep it now: it is not shown again. Id ${rotated.id}, valid until ${rotated.expiresAt.toISOString()}.\n` +
      `The old key works until ${rotated.replacedExpiresAt.toISOString()}.`,
  );
}

async function revoke({ withDatabase, stdout }: CliDependencies, id: string, { json }: Flags): Promise<void> {
  const revokedAt = await withDatabase("keys revoke", ({ pool }) => revokeKey({ pool, ids }, cliActor(), id));
  if (!revokedAt) throw new Error(`There is no key "${id}"; see: millrace keys list`);
  stdout(json ? JSON.stringify({ id, revokedAt }) : `${id} is revoked.`);
}
