import { setTimeout as delay } from "node:timers/promises";
import { type MillraceClient, MillraceError } from "@millrace/client";
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
  for await (const event of reply(conversation, message)) {
    if (event.type === "text-delta" && live) screen.write(plain(event.delta));
    if (event.type === "error") {
      if (live) screen.write("\n");
      throw new Error(plain(event.error));
    }
    if (event.type !== "done") continue;
    if (live) screen.write("\n");
    else
      stdout(
        json ? JSON.stringify({ sessionId: conversation.sessionId, text: event.text }) : plain(event.text),
      );
  }
}

const RESUME_TRIES = 20;
const RESUME_PAUSE_MS = 500;

/** A connection that is lost in the middle is taken up again behind the last word that arrived. */
async function* reply({ client, agentId, sessionId, organization, signal }: Conversation, message: string) {
  let events = client.sessions.stream(agentId, sessionId, { ...organization, message }, { signal });
  let lastEventId: string | undefined;
  for (let tries = 0; ; tries += 1) {
    try {
      for await (const event of events) {
        lastEventId = event.id;
        yield event;
        if (event.type !== "text-delta") return;
      }
    } catch (error) {
      const lost = error instanceof MillraceError && error.code === "connection_failed";
      if (!lost || lastEventId === undefined) throw error;
    }
    if (lastEventId === undefined || tries === RESUME_TRIES)
      throw new Error("The reply broke off; ask again.");
    await delay(RESUME_PAUSE_MS, undefined, { signal });
    events = client.sessions.resume(agentId, sessionId, { ...organization, lastEventId }, { signal });
  }
}
