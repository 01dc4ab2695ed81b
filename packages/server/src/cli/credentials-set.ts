import { text as readAll } from "node:stream/consumers";
import type { SetCredentialRequest } from "@millrace/client";
import { type Command, Option } from "commander";
import { credentialSecrets } from "../domain/credential-secret.ts";
import { type CliDependencies, UsageError } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";

type CredentialType = SetCredentialRequest["type"];
const types = Object.keys(credentialSecrets) as CredentialType[];

interface SetFlags extends ServiceFlags {
  readonly org?: string;
  readonly type: CredentialType;
  readonly host?: string[];
  readonly field: string[];
  readonly allowUnencrypted?: boolean;
}

export function registerCredentialsSet(credentials: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    credentials,
    "set <credentialId>",
    "create a credential, or replace it; its secret comes from a prompt or from standard input",
    "credentials set cred_crm --type http-bearer --host api.example.com < token.txt",
  )
    .option("--org <id>", "the organization, where the key reaches several")
    .addOption(new Option("--type <type>", "type of the credential").choices(types).makeOptionMandatory())
    .option("--host <name...>", "where the secret may be sent")
    .option("--field <name=value...>", "fields that are no secret: user=ada, host=smtp.example.com", [])
    .option("--allow-unencrypted", "may be sent without TLS, and then to private addresses alone")
    .action((id: string, flags: SetFlags) => set(dependencies, id, flags));
  addServiceCommand(
    credentials,
    "delete <credentialId>",
    "delete a credential; nodes that use it fail from now on",
    "credentials delete cred_crm",
  )
    .option("--org <id>", "the organization, where the key reaches several")
    .action((id: string, flags: ServiceFlags & { org?: string }) => remove(dependencies, id, flags));
}

/** The one field of each type that nobody may read over a shoulder, or in the history of a shell. */
const SECRET_FIELD: Record<CredentialType, string> = {
  "http-bearer": "token",
  "http-basic": "password",
  "http-header": "value",
  postgres: "connectionString",
  smtp: "password",
  "model-provider": "apiKey",
};

async function set(dependencies: CliDependencies, id: string, flags: SetFlags): Promise<void> {
  const { org, type, host, field, allowUnencrypted, json } = flags;
  const name = SECRET_FIELD[type];
  const fields = Object.fromEntries(field.map(pairOf));
  if (name in fields)
    throw new UsageError(`Give ${name} at the prompt or on standard input, not on the command line.`);
  const given = await secretText(dependencies, `${name}: `);
  const secret = given === "" ? fields : { ...fields, [name]: given };
  const body = {
    organizationId: org,
    type,
    secret,
    ...(host && { allowedHosts: host }),
    ...(allowUnencrypted && { allowUnencrypted }),
  };
  const done = await withService(dependencies, flags, ({ manage }) => manage.setCredential(id, body));
  dependencies.stdout(json ? JSON.stringify(done) : `${id} is ${done.action}.`);
}

async function remove(
  dependencies: CliDependencies,
  id: string,
  flags: ServiceFlags & { org?: string },
): Promise<void> {
  const request = { organizationId: flags.org };
  const done = await withService(dependencies, flags, ({ manage }) => manage.deleteCredential(id, request));
  dependencies.stdout(flags.json ? JSON.stringify(done) : `${id} is deleted.`);
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`"${text}" is not name=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function secretText(
  { ask, readInput = readStandardInput, interruption }: CliDependencies,
  question: string,
) {
  return (ask ? await ask(question, interruption()) : await readInput()).replace(/\r?\n$/, "");
}

async function readStandardInput(): Promise<string> {
  return readAll(process.stdin);
}
