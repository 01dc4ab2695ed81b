import { isMillraceError, type Variables } from "@millrace/client";
import type { Command } from "commander";
import { setVariablesOf, variablesOf, variableVersionsOf } from "../operations/variables/manage-variables.ts";
import { allPages } from "./all-pages.ts";
import { type CliDependencies, limitNumber, UsageError } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { json as jsonValue } from "./json-option.ts";
import { listJson } from "./list-json.ts";
import { onDatabase } from "./on-database.ts";
import type { ServiceFlags } from "./service-client.ts";
import { table } from "./table.ts";
import { oneLine } from "./texts.ts";

interface Flags extends ServiceFlags {
  readonly org?: string;
  readonly note?: string;
  readonly version?: number;
}

const MAX_LISTED = 100;

export function registerVariables(program: Command, dependencies: CliDependencies): void {
  const variables = program
    .command("variables")
    .description("list and set the plain values that expressions read as vars.<name>");
  const command = (usage: string, summary: string, example: string) =>
    addManageCommand(variables, usage, summary, `variables ${example}`).option(
      "--org <id>",
      "the organization; required where the key reaches several, and on the database",
    );
  command("list", "list variables with their values", "list --org org_demo")
    .option("--at <version>", "as they were in this version", limitNumber)
    .action((flags: Flags & { at?: number }) => list(dependencies, { ...flags, version: flags.at! }));
  command(
    "set <variable...>",
    "set variables, for runs that are made from then on: name=value, any number of them, or one as: name value",
    "set region=eu 'limits={\"order\":5}'\n  $ millrace variables set greeting 'Good morning'",
  )
    .option("--note <text>", "why; kept with the version")
    .action((given: string[], flags: Flags) => {
      const set = Object.fromEntries(pairsOf(given).map(([name, value]) => [name, valueOf(value)]));
      return change(dependencies, flags, (values) => ({ ...values, ...set }));
    });
  command("unset <name>", "remove a variable; flows that read it are refused from then on", "unset region")
    .option("--note <text>", "why; kept with the version")
    .action((name: string, flags: Flags) =>
      change(dependencies, flags, ({ [name]: removed, ...rest }) => {
        if (removed === undefined)
          throw new Error(`There is no variable "${name}"; see: millrace variables list`);
        return rest;
      }),
    );
  command("versions", "list their versions with author, time and note, newest first", "versions").action(
    (flags: Flags) => versions(dependencies, flags),
  );
}

/** A name has no `=` in it, so a first word without one is a name alone. */
function pairsOf(given: readonly string[]): (readonly [name: string, value: string])[] {
  const [first, second, ...more] = given;
  if (second !== undefined && more.length === 0 && !first!.includes("=")) return [[first!, second]];
  return given.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`"${text}" is not name=value.`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}

/** JSON where it is JSON, a text otherwise; `@file` holds JSON. */
function valueOf(text: string): unknown {
  if (text.startsWith("@")) return jsonValue(text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function list(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { org, version } = flags;
  const found = await eitherWay<Variables, Variables>(dependencies, flags, {
    service: ({ manage }) => manage.variables.get({ organizationId: org, version }),
    database: () =>
      onDatabase(dependencies, "variables list", async ({ db }) =>
        toWire(await variablesOf(db, requireOrg(org), version)),
      ),
  });
  show(dependencies, found, flags);
}

const MAX_TRIES = 5;

/** Read, changed and put back; again where somebody else was faster. */
async function change(
  dependencies: CliDependencies,
  flags: Flags,
  changed: (values: Variables["values"]) => Variables["values"],
): Promise<void> {
  const { org, note } = flags;
  const set = await eitherWay<Variables, Variables>(dependencies, flags, {
    service: async ({ manage }) => {
      for (let tries = 1; ; tries++) {
        const { values, version } = await manage.variables.get({ organizationId: org });
        const request = { organizationId: org, values: changed(values), version, note };
        try {
          return await manage.variables.set(request);
        } catch (error) {
          const isLate = isMillraceError(error) && error.code === "variables_changed";
          if (!isLate || tries === MAX_TRIES) throw error;
        }
      }
    },
    database: () =>
      onDatabase(dependencies, "variables set", async (context) => {
        const { values, version } = await variablesOf(context.db, requireOrg(org));
        const request = { values: changed({ ...values }), version, note };
        return toWire(await setVariablesOf(context, context.caller.actor, requireOrg(org), request));
      }),
  });
  show(dependencies, set, flags);
}

async function versions(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { stdout } = dependencies;
  const { org, json } = flags;
  const listed = await eitherWay<readonly Listed[], readonly Listed[]>(dependencies, flags, {
    service: ({ manage }) => allPages((page) => manage.variables.versions({ organizationId: org, ...page })),
    database: () =>
      onDatabase(dependencies, "variables versions", async ({ db }) => {
        const page = await variableVersionsOf(db, requireOrg(org), { "page[size]": MAX_LISTED });
        return page.items;
      }),
  });
  if (json) return stdout(listJson(listed));
  const rows = listed.map(({ version, active, createdAt, author, names, note }) => ({
    version,
    "in force": active,
    set: new Date(createdAt),
    by: author,
    names,
    note: note == null ? undefined : oneLine(note, 80),
  }));
  stdout(table(rows));
}

interface Listed {
  readonly version: number;
  readonly active: boolean;
  readonly createdAt: Date | string;
  readonly author?: string | null | undefined;
  readonly note?: string | null | undefined;
  readonly names: readonly string[];
}

function requireOrg(org: string | undefined): string {
  if (org === undefined) throw new UsageError("Say which organization: --org <id>");
  return org;
}

function toWire({ organizationId, version, values }: Awaited<ReturnType<typeof variablesOf>>): Variables {
  return { organizationId, version, values: { ...values } };
}

function show({ stdout }: CliDependencies, { version, values, ...rest }: Variables, { json }: Flags): void {
  if (json) return stdout(JSON.stringify({ ...rest, version, values }));
  const rows = Object.entries(values).map(([name, value]) => ({
    name,
    value: oneLine(JSON.stringify(value), 200),
  }));
  stdout(table(rows));
  if (version > 0) stdout(`\nVersion ${version}.`);
}
