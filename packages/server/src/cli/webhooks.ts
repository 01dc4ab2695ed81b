import type { Command } from "commander";
import { toConfig } from "../config/load-config.ts";
import {
  regenerateWebhook,
  removeWebhook,
  showWebhook,
  switchWebhook,
  type Webhook,
  type WebhookServices,
} from "../operations/webhooks/manage-webhook.ts";
import { webhookUrl } from "../operations/webhooks/webhook-url.ts";
import { addCommand, type CliDependencies } from "./cli.ts";

interface Flags {
  readonly flow: string;
  readonly json?: boolean;
}

type Verb = (services: WebhookServices, flowId: string) => Promise<Webhook>;

const VERBS: Record<string, { summary: string; run: Verb }> = {
  show: { summary: "print the address that starts the flow", run: showWebhook },
  regenerate: {
    summary: "give the flow a new address; the old one is refused at once",
    run: regenerateWebhook,
  },
  enable: {
    summary: "let the address start the flow",
    run: (services, flow) => switchWebhook(services, flow, true),
  },
  disable: {
    summary: "refuse starts by the address and keep it",
    run: (services, flow) => switchWebhook(services, flow, false),
  },
};

export function registerWebhooks(program: Command, dependencies: CliDependencies): void {
  const webhooks = program.command("webhooks").description("manage the inbound webhook of a flow");
  for (const [verb, { summary, run }] of Object.entries(VERBS)) {
    addCommand(webhooks, verb, summary, `webhooks ${verb} --flow flow_hello`)
      .requiredOption("--flow <id>", "the flow")
      .action((flags: Flags) => print(dependencies, `webhooks ${verb}`, run, flags));
  }
  addCommand(
    webhooks,
    "delete",
    "delete the webhook; applying the flow's document creates a new one",
    "webhooks delete --flow flow_hello",
  )
    .requiredOption("--flow <id>", "the flow")
    .action((flags: Flags) => remove(dependencies, flags));
}

async function print(
  { withDatabase, env, stdout }: CliDependencies,
  command: string,
  run: Verb,
  { flow, json }: Flags,
): Promise<void> {
  const config = toConfig(env);
  const { token, enabled } = await withDatabase(command, (database) => run(database, flow));
  const url = webhookUrl(config, flow, token);
  stdout(json ? JSON.stringify({ url, enabled }) : `${url}${enabled ? "" : "\nIt is disabled."}`);
}

async function remove({ withDatabase, stdout }: CliDependencies, { flow, json }: Flags): Promise<void> {
  await withDatabase("webhooks delete", (database) => removeWebhook(database, flow));
  stdout(json ? JSON.stringify({ flowId: flow, deleted: true }) : `The webhook of ${flow} is deleted.`);
}
