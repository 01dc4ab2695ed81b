import { nextScheduledTime } from "../../domain/cron.ts";
import { type Idempotency, idempotencyOf, newRun } from "../../domain/new-run.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  advanceSchedule,
  type DueSchedule,
  findDueSchedules,
} from "../../storage/schedules/find-due-schedules.ts";
import { runnableFlow } from "../runs/runnable-flow.ts";
import { type StartContext, startRun } from "../runs/start-run.ts";

export interface ScheduleContext extends StartContext {
  readonly now: () => Date;
  /** A firing that could not start a run, and why. */
  readonly onSkipped: (schedule: DueSchedule, error: unknown) => void;
}

/**
 * Starts what is due. The due time is the run's idempotency key, so however many processes try, and however
 * often one of them dies half-way, each due time has one run. Times missed while nobody ran are made up for once.
 */
export async function fireSchedules(context: ScheduleContext): Promise<void> {
  for (const schedule of await findDueSchedules(context.db)) {
    try {
      await fire(context, schedule);
    } catch (error) {
      // What cannot run now (a draft, no credits, a full queue) is skipped; the database being away is not.
      if (!(error instanceof Refusal)) throw error;
      context.onSkipped(schedule, error);
    }
    await advanceSchedule(
      context.db,
      schedule,
      nextScheduledTime(schedule.cron, schedule.timezone, context.now()),
    );
  }
}

async function fire(context: ScheduleContext, schedule: DueSchedule): Promise<void> {
  const { library, ids } = context;
  const { organizationId, flowId, data } = schedule;
  // The schedules of a passive flow rest; what was due meanwhile is not made up for.
  if ((await library.find(flowId))?.active === false) return;
  const { flow, version } = await runnableFlow(library, organizationId, flowId);
  const idempotency = dueKey(schedule);
  await startRun(
    context,
    organizationId,
    newRun(ids, flow, version, { triggerSource: "schedule", idempotency, data }),
  );
}

/** What stands for one due time of a schedule, so that it has one run. */
export function dueKey({ id, flowId, dueAt }: Pick<DueSchedule, "id" | "flowId" | "dueAt">): Idempotency {
  return idempotencyOf("schedule", flowId, `${id} ${dueAt.toISOString()}`);
}
