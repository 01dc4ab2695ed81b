import type { Command } from "commander";
import { ConfigError, toConfig } from "../config/load-config.ts";
import type { Config } from "../config/settings.ts";
import { examineDatabase, unreachable } from "../operations/doctor/examine-database.ts";
import { examineCallers } from "../operations/doctor/examine-callers.ts";
import { examineGrowth } from "../operations/doctor/examine-growth.ts";
import { examineTransactions } from "../operations/doctor/examine-transactions.ts";
import { examineDisk } from "../operations/doctor/examine-disk.ts";
import { type Finding, tell } from "../operations/doctor/finding.ts";
import { addCommand, type CliDependencies } from "./cli.ts";
import { listJson } from "./list-json.ts";

export function registerDoctor(program: Command, dependencies: CliDependencies): void {
  addCommand(
    program,
    "doctor",
    "check the database, versions, disk, clock and configuration, and say how to fix what is wrong",
    "doctor",
  ).action((flags: { json?: boolean }) => doctor(dependencies, flags));
}

async function doctor(dependencies: CliDependencies, { json }: { json?: boolean }): Promise<void> {
  const { env, stdout } = dependencies;
  const findings = await examine(dependencies, configOf(env));
  if (json) stdout(listJson(findings));
  else {
    for (const { check, status, message } of findings)
      stdout(`${status.padEnd(4)}  ${check.padEnd(13)}  ${message}`);
  }
  const failed = findings.filter(({ status }) => status === "fail").length;
  if (failed > 0) throw new Error(`${failed} of ${findings.length} checks failed.`);
}

async function examine({ withDatabase }: CliDependencies, config: Config | Finding[]): Promise<Finding[]> {
  const node: Finding = { check: "node", status: "ok", message: process.versions.node };
  // Without a configuration there is no telling which database and directory are meant.
  if (Array.isArray(config)) return [node, ...config];
  const configuration: Finding = {
    check: "configuration",
    status: "ok",
    message: "every setting can be used",
  };
  const disk = config.databaseUrl === undefined ? [tell(await examineDisk(config.dataDirectory), "en")] : [];
  const dataDirectory = config.databaseUrl === undefined ? config.dataDirectory : undefined;
  const growth = { retentionDays: config.retentionDays, dataDirectory, nowMs: Date.now() };
  const database = await withDatabase(
    "doctor",
    async (opened) => {
      const findings = await examineDatabase(opened, Date.now);
      if (findings.some(({ status }) => status === "fail")) return findings;
      return [
        ...findings,
        tell(await examineGrowth(opened.pool, growth), "en"),
        tell(await examineTransactions(opened.pool), "en"),
        await examineCallers(opened.pool, Date.now()),
      ];
    },
    { anySchema: true },
  ).catch((error: unknown) => [unreachable(error)]);
  return [node, configuration, ...disk, ...database];
}

function configOf(env: CliDependencies["env"]): Config | Finding[] {
  try {
    return toConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((message) => ({ check: "configuration", status: "fail", message }));
  }
}
