import type { Schedule } from "@millrace/client";
import type { Command } from "commander";
import { schedulesOf, setSchedulePaused } from "../operations/schedules/manage-schedules.ts";
import type { ListedSchedule } from "../operations/schedules/manage-schedules.ts";
import { allPages } from "./all-pages.ts";
import { type CliDependencies, UsageError } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { listJson } from "./list-json.ts";
import { onDatabase } from "./on-database.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";

interface ListFlags extends ServiceFlags {
  readonly org?: string;
}

const MAX_LISTED = 100;

export function registerSchedules(program: Command, dependencies: CliDependencies): void {
  const schedules = program
    .command("schedules")
    .description("list, pause, resume and run schedules of flows");
  addManageCommand(
    schedules,
    "list",
    "list schedules, each with its next times",
    "schedules list --org org_demo",
  )
    .option("--org <id>", "the organization; required where the key reaches several, and on the database")
    .action((flags: ListFlags) => list(dependencies, flags));
  addManageCommand(
    schedules,
    "pause <flowId> <scheduleId>",
    "let a schedule start nothing until it is resumed",
    "schedules pause flow_report nightly",
  ).action((flowId: string, scheduleId: string, flags: ServiceFlags) =>
    setPaused(dependencies, { flowId, scheduleId }, true, flags),
  );
  addManageCommand(
    schedules,
    "resume <flowId> <scheduleId>",
    "let a paused schedule go on; times that have passed are not made up for",
    "schedules resume flow_report nightly",
  ).action((flowId: string, scheduleId: string, flags: ServiceFlags) =>
    setPaused(dependencies, { flowId, scheduleId }, false, flags),
  );
  addServiceCommand(
    schedules,
    "run <flowId> <scheduleId>",
    "start a run as the schedule would, now",
    "schedules run flow_report nightly",
  ).action((flowId: string, scheduleId: string, flags: ServiceFlags) =>
    runNow(dependencies, { flowId, scheduleId }, flags),
  );
}

async function list(dependencies: CliDependencies, flags: ListFlags): Promise<void> {
  const { stdout } = dependencies;
  const { org, json } = flags;
  const listed = await eitherWay<Schedule[], Schedule[]>(dependencies, flags, {
    service: ({ deploys }) => allPages((page) => deploys.schedules({ organizationId: org, ...page })),
    database: () => {
      if (org === undefined) throw new UsageError("Say which organization: --org <id>");
      return onDatabase(dependencies, "schedules list", async (context) => {
        const page = await schedulesOf(context, org, { "page[size]": MAX_LISTED });
        return page.items.map(toWire);
      });
    },
  });
  if (json) return stdout(listJson(listed));
  const rows = listed.map(({ flowId, id, cron, timezone, state, next }) => ({
    flow: flowId,
    schedule: id,
    cron,
    timezone,
    state,
    next: next[0] === undefined ? undefined : new Date(next[0]),
    later: next.slice(1).map((time) => time.slice(0, 16).replace("T", " ")),
  }));
  stdout(table(rows));
}

function toWire(schedule: ListedSchedule): Schedule {
  const { scheduleId, flowId, organizationId, cron, timezone, data, state, next } = schedule;
  const times = next.map((time) => time.toISOString());
  return { id: scheduleId, flowId, organizationId, cron, timezone, data: { ...data }, state, next: times };
}

interface Named {
  readonly flowId: string;
  readonly scheduleId: string;
}

async function setPaused(
  dependencies: CliDependencies,
  named: Named,
  paused: boolean,
  flags: ServiceFlags,
): Promise<void> {
  const { flowId, scheduleId } = named;
  const verb = paused ? "pause" : "resume";
  const schedule = await eitherWay<Schedule, Schedule>(dependencies, flags, {
    service: ({ deploys }) =>
      paused ? deploys.pauseSchedule(flowId, scheduleId) : deploys.resumeSchedule(flowId, scheduleId),
    database: () =>
      onDatabase(dependencies, `schedules ${verb}`, async (context) =>
        toWire(await setSchedulePaused(context, context.caller, named, paused)),
      ),
  });
  const [next] = schedule.next;
  const text = `${scheduleId} of ${flowId} is ${paused ? "paused" : "running"}${next === undefined ? "" : `; next: ${next}`}.`;
  dependencies.stdout(flags.json ? JSON.stringify(schedule) : text);
}

async function runNow(dependencies: CliDependencies, named: Named, flags: ServiceFlags): Promise<void> {
  const { flowId, scheduleId } = named;
  const started = await withService(dependencies, flags, ({ deploys }) =>
    deploys.runSchedule(flowId, scheduleId),
  );
  const id = "queueId" in started ? started.queueId : started.id;
  dependencies.stdout(
    flags.json ? JSON.stringify(started) : `${id} has started; see: millrace runs watch ${id}`,
  );
}
