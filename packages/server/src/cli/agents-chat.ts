import type { MillraceClient } from "@millrace/client";
import type { Command } from "commander";
import { type CliDependencies, UsageError } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { plain } from "./texts.ts";

interface ChatFlags extends ServiceFlags {
  readonly message?: string;
  readonly session?: string;
  readonly org?: string;
}

export function registerAgentsChat(agents: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    agents,
    "chat <agentId>",
    "chat with an agent; with --message one question and its answer",
    "agents chat agent_helper --message 'Hello'",
  )
    .option("--message <text>", "send this message, print the reply and exit")
    .option("--session <id>", "continue this session instead of creating one")
    .option("--org <id>", "organization of the agent; required with a user key")
    .action((agentId: string, flags: ChatFlags) => chat(dependencies, agentId, flags));
}

async function chat(dependencies: CliDependencies, agentId: string, flags: ChatFlags): Promise<void> {
  const { ask, interruption } = dependencies;
  if (flags.message === undefined && !ask) {
    throw new UsageError("Pass --message, or run this in a terminal to chat.");
  }
  const signal = interruption();
  await withService(dependencies, flags, async (client) => {
    const conversation = await begin(client, agentId, flags, signal);
    if (flags.message !== undefined) return say(dependencies, conversation, flags.message, flags.json);
    dependencies.stdout(`Session ${conversation.sessionId}. An empty line ends the chat.`);
    for (;;) {
      const message = await ask!("> ", signal).catch(() => "");
      if (message.trim() === "") return;
      await say(dependencies, conversation, message, flags.json);
    }
  });
}

interface Conversation {
  readonly client: MillraceClient;
  readonly agentId: string;
  readonly sessionId: string;
  readonly organization: { readonly organizationId?: string };
  readonly signal: AbortSignal;
}

async function begin(
  client: MillraceClient,
  agentId: string,
  { session, org }: ChatFlags,
  signal: AbortSignal,
): Promise<Conversation> {
  const organization = org === undefined ? {} : { organizationId: org };
  const sessionId = session ?? (await client.sessions.create(agentId, organization, { signal })).sessionId;
  return { client, agentId, sessionId, organization, signal };
}

/** On a screen word by word as it comes, elsewhere as a whole. */
async function say(
  { stdout, screen }: CliDependencies,
  conversation: Conversation,
  message: string,
  json = false,
): Promise<void> {
  const live = screen && !json;
  const { client, agentId, sessionId, organization, signal } = conversation;
  const request = { ...organization, message };
  for await (const event of client.sessions.stream(agentId, sessionId, request, { signal })) {
    if (event.type === "text-delta" && live) screen.write(plain(event.delta));
    if (event.type === "error") {
      if (live) screen.write("\n");
      throw new Error(plain(event.error));
    }
    if (event.type !== "done") continue;
    if (live) screen.write("\n");
    else stdout(json ? JSON.stringify({ sessionId, text: event.text }) : plain(event.text));
  }
}
