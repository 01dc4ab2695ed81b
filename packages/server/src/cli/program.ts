import { Command } from "commander";
import { version } from "../version.ts";
import { registerAgents } from "./agents.ts";
import { registerApply } from "./apply.ts";
import { registerBackup } from "./backup.ts";
import type { CliDependencies } from "./cli.ts";
import { registerConsole } from "./console.ts";
import { registerAudit } from "./audit.ts";
import { registerCredentials } from "./credentials.ts";
import { registerCredits } from "./credits.ts";
import { registerDoctor } from "./doctor.ts";
import { registerEvents } from "./events.ts";
import { registerFlows } from "./flows.ts";
import { registerJobs } from "./jobs.ts";
import { registerKeys } from "./keys.ts";
import { registerOrgs } from "./orgs.ts";
import { registerMembers } from "./members.ts";
import { registerProfiles } from "./profiles.ts";
import { registerQueue } from "./queue.ts";
import { registerRuns } from "./runs.ts";
import { registerSessions } from "./sessions.ts";
import { registerTypes } from "./types.ts";
import { registerUsers } from "./users.ts";
import { registerWebhooks } from "./webhooks.ts";

export function buildProgram(dependencies: CliDependencies): Command {
  const { stdout, stderr } = dependencies;
  const program = new Command("millrace")
    .description("Durable execution of flows and agent chats on one PostgreSQL")
    .version(version)
    .addHelpText(
      "after",
      `
Environment:
  MILLRACE_URL      address of the service that commands talk to (default: http://127.0.0.1:4000)
  MILLRACE_API_KEY  the key they use
  DATABASE_URL      the database, for commands beside it; "millrace config" lists every setting`,
    )
    .option(
      "--database",
      "make the built-in database where there is none yet, for commands that work beside it",
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout(text.trimEnd()),
      writeErr: (text) => stderr(text.trimEnd()),
    });
  dependencies.startCommands(program);
  for (const register of [
    registerApply,
    registerOrgs,
    registerUsers,
    registerKeys,
    registerFlows,
    registerTypes,
    registerRuns,
    registerJobs,
    registerQueue,
    registerAgents,
    registerCredentials,
    registerWebhooks,
    registerEvents,
    registerCredits,
    registerMembers,
    registerAudit,
    registerSessions,
    registerProfiles,
    registerConsole,
    registerBackup,
    registerDoctor,
  ]) {
    register(program, dependencies);
  }
  return program;
}
