import type {
  CreatedKey as ServiceKey,
  ManagedKey,
  Page,
  RotatedKey as ServiceRotatedKey,
} from "@millrace/client";
import { type Command, Option } from "commander";
import type { KeyScope } from "../domain/api-key.ts";
import { type Role, roles } from "../domain/role.ts";
import { type CreatedKey, createKey } from "../operations/keys/create-key.ts";
import { DEFAULT_OVERLAP_MS, type RotatedKey, rotateKey } from "../operations/keys/rotate-key.ts";
import { revokeKey } from "../operations/keys/revoke-key.ts";
import { type KeySummary, listKeys } from "../storage/keys/list-keys.ts";
import { cliActor } from "./cli-actor.ts";
import { type CliDependencies, ids, lifetime, UsageError } from "./cli.ts";
import { addManageCommand, eitherWay, timeText } from "./either-way.ts";
import { listJson } from "./list-json.ts";
import type { ServiceFlags } from "./service-client.ts";
import { table } from "./table.ts";

interface Flags extends ServiceFlags {
  readonly org?: string;
  readonly user?: string;
}

export function registerKeys(program: Command, dependencies: CliDependencies): void {
  const keys = program.command("keys").description("create, list, rotate and revoke API keys");
  addManageCommand(
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
  addManageCommand(
    keys,
    "list",
    "list keys; only their first and last characters are shown",
    "keys list --org org_demo",
  )
    .option("--org <id>", "only this organization")
    .option("--user <id>", "only this user")
    .action((flags: Flags) => list(dependencies, flags));
  addManageCommand(
    keys,
    "rotate <keyId>",
    "replace a key; the old one keeps working for a while",
    "keys rotate key_… --overlap 1h",
  )
    .option("--overlap <time>", "how long the old key keeps working: 0, 30m, 12h (default: 24h)", overlap)
    .option("--expires <time>", "lifetime of the new key (default: that of the old key)", lifetime)
    .action((keyId: string, flags: RotateFlags) => rotate(dependencies, keyId, flags));
  addManageCommand(
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

async function create(dependencies: CliDependencies, flags: CreateFlags): Promise<void> {
  const { stdout, withDatabase } = dependencies;
  const { org, user, scope, role, name, expires, json } = flags;
  const created = await eitherWay<CreatedKey | ServiceKey, CreatedKey>(dependencies, flags, {
    service: ({ manage }) => {
      if (scope === "user")
        throw new UsageError(
          "A user key reaches other organizations too; it is made beside the database alone.",
        );
      const expiresIn = expires === undefined ? undefined : timeText(expires);
      return manage.createKey({ organizationId: org, userId: user, role, name, expiresIn });
    },
    database: () => {
      if (scope === "org" && !org) throw new UsageError("An organization key needs --org.");
      if (!org && !user) throw new UsageError("A user key needs --user, or --org to use its first owner.");
      const request = { scope, organizationId: org, userId: user, role, name, lifetimeMs: expires };
      return withDatabase("keys create", ({ pool }) => createKey({ pool, ids }, cliActor(), request));
    },
  });
  if (json) return stdout(JSON.stringify(created));
  stdout(
    `${created.key}\n\nKeep it now: it is not shown again. Id ${created.id}, valid until ${moment(created.expiresAt)}.`,
  );
}

async function list(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { stdout, withDatabase } = dependencies;
  const { org, user, json } = flags;
  const keys = await eitherWay<Page<ManagedKey>, KeySummary[]>(dependencies, flags, {
    service: ({ manage }) => manage.keys({ organizationId: org, pageSize: 100 }),
    database: () =>
      withDatabase("keys list", ({ pool }) => listKeys(pool, { organizationId: org, userId: user })),
  });
  if ("pagination" in keys) {
    const own = keys.data.filter(({ userId }) => user === undefined || userId === user);
    if (json) return stdout(listJson(own, keys.pagination));
    return stdout(
      table(
        own.map(({ id, hint, name, role, userId, state, expiresAt, lastUsedAt }) => ({
          id,
          key: hint,
          name,
          role,
          user: userId,
          state,
          expires: new Date(expiresAt),
          "last used": lastUsedAt === undefined ? undefined : new Date(lastUsedAt),
        })),
      ),
    );
  }
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

async function rotate(dependencies: CliDependencies, keyId: string, flags: RotateFlags): Promise<void> {
  const { stdout, withDatabase } = dependencies;
  const { overlap: overlapMs = DEFAULT_OVERLAP_MS, expires, json } = flags;
  const rotated = await eitherWay<ServiceRotatedKey, RotatedKey>(dependencies, flags, {
    service: ({ manage }) =>
      manage.rotateKey(keyId, {
        overlap: overlapMs === 0 ? "0" : timeText(overlapMs),
        expiresIn: expires === undefined ? undefined : timeText(expires),
      }),
    database: () =>
      withDatabase("keys rotate", ({ pool }) =>
        rotateKey({ pool, ids }, cliActor(), { keyId, overlapMs, lifetimeMs: expires }),
      ),
  });
  if (json) return stdout(JSON.stringify(rotated));
  stdout(
    `${rotated.key}\n\nKeep it now: it is not shown again. Id ${rotated.id}, valid until ${moment(rotated.expiresAt)}.\n` +
      `The old key works until ${moment(rotated.replacedExpiresAt)}.`,
  );
}

async function revoke(dependencies: CliDependencies, id: string, flags: Flags): Promise<void> {
  const { stdout, withDatabase } = dependencies;
  const revoked = await eitherWay(dependencies, flags, {
    service: ({ manage }) => manage.revokeKey(id),
    database: async () => {
      const revokedAt = await withDatabase("keys revoke", ({ pool }) =>
        revokeKey({ pool, ids }, cliActor(), id),
      );
      if (!revokedAt) throw new Error(`There is no key "${id}"; see: millrace keys list`);
      return { id, revokedAt };
    },
  });
  stdout(flags.json ? JSON.stringify(revoked) : `${id} is revoked.`);
}

function moment(time: Date | string): string {
  return new Date(time).toISOString();
}
