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
import { registerExport } from "./export.ts";
import { registerFlows } from "./flows.ts";
import { registerInit } from "./init.ts";
import { registerJobs } from "./jobs.ts";
import { registerKeys } from "./keys.ts";
import { registerOrgs } from "./orgs.ts";
import { registerMembers } from "./members.ts";
import { registerProcesses } from "./processes.ts";
import { registerProfiles } from "./profiles.ts";
import { registerQueue } from "./queue.ts";
import { registerRuns } from "./runs.ts";
import { registerSchedules } from "./schedules.ts";
import { registerSessions } from "./sessions.ts";
import { registerTypes } from "./types.ts";
import { registerUsers } from "./users.ts";
import { registerVariables } from "./variables.ts";
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
  MILLRACE_URL      address of the service that commands talk to (default: a profile, the service that runs on
                    the data directory, or port PORT of this machine, 4000 unless set)
  MILLRACE_API_KEY  the key they use
  DATABASE_URL      the database, for commands that work on it; "millrace config" lists every setting`,
    )
    .option(
      "--database",
      "work on the database itself where no service is named; makes the built-in one where there is none yet",
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout(text.trimEnd()),
      writeErr: (text) => stderr(text.trimEnd()),
    });
  dependencies.startCommands(program);
  for (const register of [
    registerInit,
    registerApply,
    registerExport,
    registerOrgs,
    registerUsers,
    registerKeys,
    registerFlows,
    registerTypes,
    registerSchedules,
    registerVariables,
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
    registerProcesses,
    registerProfiles,
    registerConsole,
    registerBackup,
    registerDoctor,
  ]) {
    register(program, dependencies);
  }
  return program;
}
