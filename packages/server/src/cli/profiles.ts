import type { Command } from "commander";
import { addCommand, type CliDependencies, UsageError } from "./cli.ts";
import { type Profile, profileFile, readProfiles, writeProfiles } from "./profile-store.ts";
import { table } from "./table.ts";

interface Json {
  readonly json?: boolean;
}

export function registerProfiles(program: Command, dependencies: CliDependencies): void {
  const profiles = program
    .command("profiles")
    .description("remember the services you talk to, each with its address and key");
  addCommand(
    profiles,
    "add <name>",
    "remember a service; the key is taken from MILLRACE_API_KEY",
    "profiles add prod --service https://millrace.example.com",
  )
    .requiredOption("--service <address>", "address of the service")
    .action((name: string, flags: Json & { service: string }) => add(dependencies, name, flags));
  addCommand(profiles, "list", "list profiles; keys are not shown", "profiles list").action((flags: Json) =>
    list(dependencies, flags),
  );
  addCommand(profiles, "use <name>", "use this profile where none is named", "profiles use prod").action(
    (name: string, flags: Json) => use(dependencies, name, flags),
  );
  addCommand(profiles, "remove <name>", "forget a profile and its key", "profiles remove prod").action(
    (name: string, flags: Json) => remove(dependencies, name, flags),
  );
}

async function add(
  { env, stdout }: CliDependencies,
  name: string,
  { service, json }: Json & { service: string },
): Promise<void> {
  if (!/^[\w.-]{1,64}$/.test(name)) throw new UsageError("A profile's name has letters, digits, . _ and -.");
  if (!URL.canParse(service))
    throw new UsageError(`"${service}" is not an address such as https://millrace.example.com.`);
  const stored = await readProfiles(env);
  const key = env["MILLRACE_API_KEY"];
  const profile: Profile = { url: service.replace(/\/+$/, ""), ...(key && { key }) };
  const current = stored.current ?? name;
  await writeProfiles(env, { current, profiles: { ...stored.profiles, [name]: profile } });
  if (json) return stdout(JSON.stringify({ name, url: profile.url, hasKey: key !== undefined, current }));
  stdout(
    `${name} is ${profile.url}, ${key ? "with its key" : "without a key"}; kept in ${profileFile(env)}.`,
  );
}

async function list({ env, stdout }: CliDependencies, { json }: Json): Promise<void> {
  const { current, profiles } = await readProfiles(env);
  const rows = Object.entries(profiles).map(([name, { url, key }]) => ({
    name,
    url,
    key: key ? `${key.slice(0, 11)}…` : "",
    current: name === current,
  }));
  stdout(json ? JSON.stringify({ data: rows, pagination: {} }) : table(rows));
}

async function use({ env, stdout }: CliDependencies, name: string, { json }: Json): Promise<void> {
  const { profiles } = await readProfiles(env);
  if (!profiles[name]) throw new Error(`There is no profile "${name}"; see: millrace profiles list`);
  await writeProfiles(env, { current: name, profiles });
  stdout(json ? JSON.stringify({ current: name }) : `${name} is used where no other is named.`);
}

async function remove({ env, stdout }: CliDependencies, name: string, { json }: Json): Promise<void> {
  const { current, profiles } = await readProfiles(env);
  if (!profiles[name]) throw new Error(`There is no profile "${name}"; see: millrace profiles list`);
  const { [name]: _removed, ...others } = profiles;
  await writeProfiles(env, {
    ...(current !== undefined && current !== name && { current }),
    profiles: others,
  });
  stdout(json ? JSON.stringify({ name, removed: true }) : `${name} is forgotten.`);
}
