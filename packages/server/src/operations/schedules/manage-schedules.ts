import type { SchedulesQuery } from "@millrace/contract/manage/schedules";
import { nextScheduledTime, nextScheduledTimes } from "../../domain/cron.ts";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { newRun } from "../../domain/new-run.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/role.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import {
  findSchedule,
  listSchedules as readSchedules,
  pauseSchedule,
  type ScheduleRecord,
} from "../../storage/schedules/list-schedules.ts";
import { type Db, transaction } from "../../storage/pool.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Caller, FlowContext } from "../manage-flows/flow-context.ts";
import { managedFlow } from "../manage-flows/managed-flow.ts";
import { runnableFlow } from "../runs/runnable-flow.ts";
import { type RunStart, type StartContext, startRun } from "../runs/start-run.ts";

const TIMES_SHOWN = 5;

export interface ListedSchedule extends ScheduleRecord {
  readonly next: readonly Date[];
  /** Why it starts nothing, where it does not. */
  readonly state: "running" | "paused" | "flow-inactive" | "flow-draft";
}

interface Clock {
  readonly now: () => Date;
}

export async function listSchedules(
  context: { readonly db: Db } & Clock,
  principal: Principal,
  query: SchedulesQuery,
): Promise<Page<ListedSchedule>> {
  return schedulesOf(context, organizationFor(principal, query.organizationId, "viewer"), query);
}

export async function schedulesOf(
  { db, now }: { readonly db: Db } & Clock,
  organizationId: string,
  query: SchedulesQuery,
): Promise<Page<ListedSchedule>> {
  const page = toPageRequest("schedules", query);
  const { items, ...cursors } = toPage(page, await readSchedules(db, organizationId, page));
  const listed: ListedSchedule[] = [];
  for (const schedule of items) {
    listed.push(withTimes(schedule, now()));
    await eventLoop.giveWay(organizationId);
  }
  return { items: listed, ...cursors };
}

/** One that rests has no next times. */
function withTimes(schedule: ScheduleRecord, now: Date): ListedSchedule {
  const { cron, timezone, nextAt } = schedule;
  const state = stateOf(schedule);
  if (state !== "running" || nextAt === null) return { ...schedule, state, next: [] };
  const later = nextScheduledTimes(cron, timezone, nextAt > now ? nextAt : now, TIMES_SHOWN - 1);
  return { ...schedule, state, next: [nextAt, ...later] };
}

function stateOf({ paused, active, version }: ScheduleRecord): ListedSchedule["state"] {
  if (paused) return "paused";
  if (version === null) return "flow-draft";
  return active ? "running" : "flow-inactive";
}

interface Named {
  readonly flowId: string;
  readonly scheduleId: string;
}

async function namedSchedule(
  db: Db,
  principal: Principal | undefined,
  named: Named,
  role: Role,
): Promise<ScheduleRecord> {
  const { flowId, scheduleId } = named;
  const { organizationId } = await managedFlow(db, principal, flowId, role);
  const schedule = await findSchedule(db, organizationId, flowId, scheduleId);
  if (!schedule) throw new Refusal("schedule_not_found", { messageParams: { flowId, scheduleId } });
  return schedule;
}

/** Starts a run as the schedule would, beside its times. */
export async function runSchedule(
  context: StartContext & Pick<FlowContext, "pool">,
  { principal, actor }: Caller,
  named: Named,
): Promise<RunStart> {
  const { library, ids, pool } = context;
  const { organizationId, data } = await namedSchedule(pool, principal, named, "member");
  const { flow, version } = await runnableFlow(library, organizationId, named.flowId);
  const run = newRun(ids, flow, version, { triggerSource: "schedule", data });
  const started = await startRun(context, organizationId, run);
  const after = { scheduleId: named.scheduleId, runId: started.runId };
  const change = { organizationId, action: "schedule.run", target: named.flowId, after };
  await recordAudit({ db: pool, ids }, actor, change);
  return started;
}

/** Times that pass while it is paused are not made up for. */
export async function setSchedulePaused(
  { pool, ids, now }: Pick<FlowContext, "pool" | "ids"> & Clock,
  { principal, actor }: Caller,
  named: Named,
  paused: boolean,
): Promise<ListedSchedule> {
  const schedule = await namedSchedule(pool, principal, named, "admin");
  const { organizationId, cron, timezone } = schedule;
  const nextAt = paused ? null : nextScheduledTime(cron, timezone, now());
  await transaction(pool, async (db) => {
    if (!(await pauseSchedule(db, schedule, paused, nextAt))) return;
    const action = paused ? "schedule.pause" : "schedule.resume";
    const after = { scheduleId: named.scheduleId };
    await recordAudit({ db, ids }, actor, { organizationId, action, target: named.flowId, after });
  });
  return withTimes(await namedSchedule(pool, principal, named, "admin"), now());
}
