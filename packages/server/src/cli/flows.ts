import type { Command } from "commander";
import { validateFlowDocuments } from "../operations/catalogue/validate-flow-documents.ts";
import { deleteFlow } from "../storage/catalogue/delete-flow.ts";
import { listEveryFlow } from "../storage/catalogue/list-every-flow.ts";
import { setFlowActive } from "../storage/catalogue/set-flow-active.ts";
import { addCommand, type CliDependencies } from "./cli.ts";
import { registerFlowsBacktest } from "./flows-backtest.ts";
import { registerFlowsRun } from "./flows-run.ts";
import { registerFlowsTest } from "./flows-test.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

interface Json {
  readonly json?: boolean;
}

interface ValidateFlags extends Json {
  readonly againstDatabase?: boolean;
}

export function registerFlows(program: Command, dependencies: CliDependencies): void {
  const flows = program.command("flows").description("list, validate, run, test and manage flows");
  addCommand(flows, "list", "list flows", "flows list --org org_demo")
    .option("--org <id>", "only this organization")
    .action((flags: Json & { org?: string }) => list(dependencies, flags));
  addCommand(
    flows,
    "validate <paths...>",
    "check whether the flows in files would run; needs neither a service nor a database",
    "flows validate examples/demo/hello.yaml",
  )
    .option("--against-database", "also check against the credentials, agents and flows in the database")
    .action((paths: string[], flags: ValidateFlags) => validate(dependencies, paths, flags));
  registerFlowsRun(flows, dependencies);
  registerFlowsTest(flows, dependencies);
  registerFlowsBacktest(flows, dependencies);
  addCommand(
    flows,
    "activate <flowId>",
    "let webhooks and schedules start the flow",
    "flows activate flow_hello",
  ).action((flowId: string, flags: Json) => setActive(dependencies, flowId, true, flags));
  addCommand(
    flows,
    "deactivate <flowId>",
    "stop webhooks and schedules from starting the flow; the API still can",
    "flows deactivate flow_hello",
  ).action((flowId: string, flags: Json) => setActive(dependencies, flowId, false, flags));
  addCommand(
    flows,
    "delete <flowId>",
    "delete the flow, its webhook and its schedules; its runs are kept",
    "flows delete flow_hello",
  ).action((flowId: string, flags: Json) => remove(dependencies, flowId, flags));
}

async function list(
  { withDatabase, stdout }: CliDependencies,
  { org, json }: Json & { org?: string },
): Promise<void> {
  const flows = await withDatabase("flows list", ({ pool }) => listEveryFlow(pool, org));
  if (json) return stdout(listJson(flows));
  const rows = flows.map(({ id, organizationId, name, active, version, webhook, schedules }) => ({
    id,
    organization: organizationId,
    name,
    active,
    version,
    webhook,
    schedules,
  }));
  stdout(table(rows));
}

async function validate(
  { withDatabase, catalogue, stdout }: CliDependencies,
  paths: readonly string[],
  { json, againstDatabase }: ValidateFlags,
): Promise<void> {
  const flows = againstDatabase
    ? await withDatabase("flows validate", ({ pool }) => validateFlowDocuments({ pool, catalogue }, paths))
    : await validateFlowDocuments({ catalogue }, paths);
  if (json) stdout(listJson(flows));
  else {
    for (const { id, errors, warnings } of flows) {
      stdout(`${id}: ${errors.length === 0 ? "valid" : "not valid"}`);
      for (const text of errors) stdout(`  error: ${text}`);
      for (const text of warnings) stdout(`  warning: ${text}`);
    }
  }
  const broken = flows.filter(({ errors }) => errors.length > 0).length;
  if (broken === 0) return;
  const hint = againstDatabase
    ? ""
    : " Only these files were looked at; --against-database adds what is stored.";
  throw new Error(`${broken} of ${flows.length} flows would not run.${hint}`);
}

async function setActive(
  { withDatabase, stdout }: CliDependencies,
  id: string,
  active: boolean,
  { json }: Json,
): Promise<void> {
  const command = active ? "flows activate" : "flows deactivate";
  const found = await withDatabase(command, ({ pool }) => setFlowActive(pool, id, active));
  if (!found) throw noSuchFlow(id);
  stdout(json ? JSON.stringify({ id, active }) : `${id} is ${active ? "active" : "passive"}.`);
}

async function remove({ withDatabase, stdout }: CliDependencies, id: string, { json }: Json): Promise<void> {
  const found = await withDatabase("flows delete", ({ pool }) => deleteFlow(pool, id));
  if (!found) throw noSuchFlow(id);
  stdout(json ? JSON.stringify({ id, deleted: true }) : `${id} is deleted.`);
}

function noSuchFlow(id: string): Error {
  return new Error(`There is no flow "${id}"; see: millrace flows list`);
}
