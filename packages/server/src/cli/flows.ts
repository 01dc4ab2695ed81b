import type { ManagedFlow } from "@millrace/client";
import type { Command } from "commander";
import { validateFlowDocuments } from "../operations/catalogue/validate-flow-documents.ts";
import { setActive } from "../operations/manage-flows/set-active.ts";
import { type FlowSummary, listEveryFlow } from "../storage/catalogue/list-every-flow.ts";
import { allPages } from "./all-pages.ts";
import { addCommand, type CliDependencies } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { registerFlowsBacktest } from "./flows-backtest.ts";
import { registerFlowsCreate } from "./flows-create.ts";
import { registerFlowsDelete } from "./flows-delete.ts";
import { registerFlowsRun } from "./flows-run.ts";
import { registerFlowsRunDraft } from "./flows-run-draft.ts";
import { registerFlowStatistics } from "./flows-statistics.ts";
import { registerFlowsStoredTests } from "./flows-stored-tests.ts";
import { registerFlowsTest } from "./flows-test.ts";
import { registerFlowVersions } from "./flows-versions.ts";
import { listJson } from "./list-json.ts";
import { onDatabase } from "./on-database.ts";
import type { ServiceFlags } from "./service-client.ts";
import { table } from "./table.ts";

interface ValidateFlags {
  readonly json?: boolean;
  readonly againstDatabase?: boolean;
}

interface ListFlags extends ServiceFlags {
  readonly org?: string;
}

export function registerFlows(program: Command, dependencies: CliDependencies): void {
  const flows = program
    .command("flows")
    .description("list, validate, run, test, publish, roll back and manage flows");
  addManageCommand(flows, "list", "list flows", "flows list --org org_demo")
    .option("--org <id>", "only this organization")
    .action((flags: ListFlags) => list(dependencies, flags));
  addCommand(
    flows,
    "validate <paths...>",
    "check whether the flows in files would run; needs neither a service nor a database",
    "flows validate examples/demo/hello.yaml",
  )
    .option("--against-database", "also check against the credentials, agents and flows in the database")
    .action((paths: string[], flags: ValidateFlags) => validate(dependencies, paths, flags));
  registerFlowsRun(flows, dependencies);
  registerFlowsRunDraft(flows, dependencies);
  registerFlowsTest(flows, dependencies);
  registerFlowsStoredTests(flows, dependencies);
  registerFlowsBacktest(flows, dependencies);
  registerFlowsCreate(flows, dependencies);
  registerFlowVersions(flows, dependencies);
  registerFlowStatistics(flows, dependencies);
  addManageCommand(
    flows,
    "activate <flowId>",
    "let webhooks and schedules start the flow",
    "flows activate flow_hello",
  ).action((flowId: string, flags: ServiceFlags) => switchFlow(dependencies, flowId, true, flags));
  addManageCommand(
    flows,
    "deactivate <flowId>",
    "stop webhooks and schedules from starting the flow; the API still can",
    "flows deactivate flow_hello",
  ).action((flowId: string, flags: ServiceFlags) => switchFlow(dependencies, flowId, false, flags));
  registerFlowsDelete(flows, dependencies);
}

async function list(dependencies: CliDependencies, flags: ListFlags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, json } = flags;
  const flows = await eitherWay<ManagedFlow[], FlowSummary[]>(dependencies, flags, {
    service: ({ deploys }) => allPages((page) => deploys.flows({ organizationId: org, ...page })),
    database: () => withDatabase("flows list", ({ pool }) => listEveryFlow(pool, org)),
  });
  if (json) return stdout(listJson(flows));
  const rows = flows.map((flow) => ({
    id: flow.id,
    organization: flow.organizationId,
    name: flow.name,
    active: "state" in flow ? flow.state === "active" : flow.active,
    version: flow.version,
    webhook: flow.webhook,
    schedules: flow.schedules,
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

async function switchFlow(
  dependencies: CliDependencies,
  id: string,
  active: boolean,
  flags: ServiceFlags,
): Promise<void> {
  const verb = active ? "activate" : "deactivate";
  await eitherWay<unknown, unknown>(dependencies, flags, {
    service: ({ deploys }) => deploys[verb](id),
    database: () =>
      onDatabase(dependencies, `flows ${verb}`, (context) => setActive(context, context.caller, id, active)),
  });
  const text = `${id} is ${active ? "active" : "passive"}.`;
  dependencies.stdout(flags.json ? JSON.stringify({ id, active }) : text);
}
