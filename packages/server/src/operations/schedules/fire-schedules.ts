import { nextScheduledTime } from "../../domain/cron.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { type Idempotency, idempotencyOf, newRun } from "../../domain/new-run.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Db } from "../../storage/pool.ts";
import {
  advanceSchedule,
  type DueSchedule,
  findDueSchedules,
} from "../../storage/schedules/find-due-schedules.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import { runnableFlow } from "../runs/runnable-flow.ts";
import type { StartRun } from "../runs/start-run.ts";

export interface ScheduleParts {
  readonly db: Db;
  readonly library: FlowLibrary;
  readonly start: StartRun;
  readonly ids: IdMaker;
  readonly now: () => Date;
  /** A firing that could not start a run, and why. */
  readonly onSkipped: (schedule: DueSchedule, error: unknown) => void;
}

/**
 * Starts what is due. The due time is the run's idempotency key, so however many processes try, and however
 * often one of them dies half-way, each due time has one run. Times missed while nobody ran are made up for once.
 */
export async function fireSchedules(parts: ScheduleParts): Promise<void> {
  for (const schedule of await findDueSchedules(parts.db)) {
    try {
      await fire(parts, schedule);
    } catch (error) {
      // What cannot run now (a draft, no credits, a full queue) is skipped; the database being away is not.
      if (!(error instanceof Refusal)) throw error;
      parts.onSkipped(schedule, error);
    }
    await advanceSchedule(
      parts.db,
      schedule,
      nextScheduledTime(schedule.cron, schedule.timezone, parts.now()),
    );
  }
}

async function fire({ library, start, ids }: ScheduleParts, schedule: DueSchedule): Promise<void> {
  const { organizationId, flowId, data } = schedule;
  // The schedules of a passive flow rest; what was due meanwhile is not made up for.
  if ((await library.find(flowId))?.active === false) return;
  const { flow, version } = await runnableFlow(library, organizationId, flowId);
  const idempotency = dueKey(schedule);
  await start.start(
    organizationId,
    newRun(ids, flow, version, { triggerSource: "schedule", idempotency, data }),
  );
}

/** What stands for one due time of a schedule, so that it has one run. */
export function dueKey({ id, flowId, dueAt }: Pick<DueSchedule, "id" | "flowId" | "dueAt">): Idempotency {
  return idempotencyOf("schedule", flowId, `${id} ${dueAt.toISOString()}`);
}
