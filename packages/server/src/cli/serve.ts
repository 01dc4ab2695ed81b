import type { Command } from "commander";
import { ConfigError, describeConfig, toConfig } from "../config/load-config.ts";

export interface ServeCommands {
  /** `demo`: an empty database gets the demo workspace, whoever owns it. */
  serve(role: "all" | "api" | "worker", options?: { readonly demo?: boolean }): Promise<void>;
  migrate(): Promise<string[]>;
  readonly env: Readonly<Record<string, string | undefined>>;
  stdout(text: string): void;
}

export function registerServeCommands(program: Command, commands: ServeCommands): void {
  program
    .command("start")
    .description(
      "run everything in one process: API, worker and, unless DATABASE_URL is set, a built-in PostgreSQL",
    )
    .option("--demo", "load the demo workspace and make a key for it, if the database is empty")
    .addHelpText("after", "\nExample:\n  $ PORT=8080 millrace start")
    .action(({ demo }: { demo?: boolean }) => commands.serve("all", { demo: demo ?? false }));
  program
    .command("api")
    .description("run only the API; runs are executed by workers")
    .addHelpText("after", "\nExample:\n  $ DATABASE_URL=postgres://… MILLRACE_SECRET_KEY=… millrace api")
    .action(() => commands.serve("api"));
  program
    .command("worker")
    .description("run only a worker; it serves health checks and metrics on HOST and PORT")
    .addHelpText(
      "after",
      "\nExample:\n  $ DATABASE_URL=postgres://… MILLRACE_SECRET_KEY=… PORT=4001 millrace worker",
    )
    .action(() => commands.serve("worker"));
  program
    .command("migrate")
    .description("update the database schema")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ millrace migrate")
    .action(async ({ json }: { json?: boolean }) => {
      const applied = await commands.migrate();
      if (json) return commands.stdout(JSON.stringify({ applied }));
      commands.stdout(applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`);
    });
  program
    .command("config")
    .description("print the effective configuration with secrets masked, and every error in it")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ millrace config")
    .action(({ json }: { json?: boolean }) => showConfig(commands, json ?? false));
}

function showConfig({ env, stdout }: ServeCommands, json: boolean): void {
  const settings = describeConfig(env);
  const faults = faultsOf(env);
  if (json) stdout(JSON.stringify({ settings, faults }));
  else {
    const width = Math.max(...settings.map(({ variable }) => variable.length));
    for (const { variable, value, source, help } of settings) {
      stdout(`${variable.padEnd(width)}  ${value || "(not set)"}${source === "default" ? " (default)" : ""}`);
      stdout(`${" ".repeat(width)}  ${help}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

function faultsOf(env: ServeCommands["env"]): readonly string[] {
  try {
    toConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
