import type { MillraceClient } from "@millrace/client";
import type { Command } from "commander";
import type { Actor } from "../domain/actor.ts";
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
import { type CliDependencies, ids } from "./cli.ts";
import { cliActor } from "./cli-actor.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import type { ServiceFlags } from "./service-client.ts";

interface Flags extends ServiceFlags {
  readonly flow: string;
}

interface Shown {
  readonly url: string;
  readonly enabled: boolean;
}

interface Verb {
  readonly summary: string;
  readonly service: (client: MillraceClient, flowId: string) => Promise<Shown>;
  readonly database: (services: WebhookServices, actor: Actor, flowId: string) => Promise<Webhook>;
}

const VERBS: Record<string, Verb> = {
  show: {
    summary: "print the address that starts the flow",
    service: findWebhook,
    database: (services, _actor, flow) => showWebhook(services, flow),
  },
  regenerate: {
    summary: "give the flow a new address; the old one is refused at once",
    service: ({ manage }, flow) => manage.regenerateWebhook(flow),
    database: regenerateWebhook,
  },
  enable: {
    summary: "let the address start the flow",
    service: ({ manage }, flow) => manage.switchWebhook(flow, true),
    database: (services, actor, flow) => switchWebhook(services, actor, flow, true),
  },
  disable: {
    summary: "refuse starts by the address and keep it",
    service: ({ manage }, flow) => manage.switchWebhook(flow, false),
    database: (services, actor, flow) => switchWebhook(services, actor, flow, false),
  },
};

export function registerWebhooks(program: Command, dependencies: CliDependencies): void {
  const webhooks = program.command("webhooks").description("manage the inbound webhook of a flow");
  for (const [name, verb] of Object.entries(VERBS)) {
    addManageCommand(webhooks, name, verb.summary, `webhooks ${name} --flow flow_hello`)
      .requiredOption("--flow <id>", "the flow")
      .action((flags: Flags) => print(dependencies, `webhooks ${name}`, verb, flags));
  }
  addManageCommand(
    webhooks,
    "delete",
    "delete the webhook; applying the flow's document creates a new one",
    "webhooks delete --flow flow_hello",
  )
    .requiredOption("--flow <id>", "the flow")
    .action((flags: Flags) => remove(dependencies, flags));
}

async function print(
  dependencies: CliDependencies,
  command: string,
  verb: Verb,
  flags: Flags,
): Promise<void> {
  const { withDatabase, env, stdout } = dependencies;
  const { flow, json } = flags;
  const { url, enabled } = await eitherWay<Shown, Shown>(dependencies, flags, {
    service: (client) => verb.service(client, flow),
    database: async () => {
      const config = toConfig(env);
      const webhook = await withDatabase(command, ({ pool, secrets }) =>
        verb.database({ pool, secrets, ids }, cliActor(), flow),
      );
      return { url: webhookUrl(config, flow, webhook.token), enabled: webhook.enabled };
    },
  });
  stdout(json ? JSON.stringify({ url, enabled }) : `${url}${enabled ? "" : "\nIt is disabled."}`);
}

async function remove(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { flow, json } = flags;
  await eitherWay<unknown, unknown>(dependencies, flags, {
    service: ({ manage }) => manage.deleteWebhook(flow),
    database: () =>
      withDatabase("webhooks delete", ({ pool, secrets }) =>
        removeWebhook({ pool, secrets, ids }, cliActor(), flow),
      ),
  });
  stdout(json ? JSON.stringify({ flowId: flow, deleted: true }) : `The webhook of ${flow} is deleted.`);
}

async function findWebhook({ manage }: MillraceClient, flowId: string): Promise<Shown> {
  let after: string | undefined;
  do {
    const page = await manage.webhooks({ pageSize: 100, after });
    const found = page.data.find((webhook) => webhook.flowId === flowId);
    if (found) return found;
    after = page.pagination.next;
  } while (after !== undefined);
  throw new Error(`The flow "${flowId}" does not exist or has no webhook.`);
}
