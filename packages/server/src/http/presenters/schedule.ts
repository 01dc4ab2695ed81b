import type { Schedule } from "@millrace/contract/manage/schedules";
import type { ListedSchedule } from "../../operations/schedules/manage-schedules.ts";

export function presentSchedule(schedule: ListedSchedule): Schedule {
  const { scheduleId, flowId, organizationId, cron, timezone, data, state, next } = schedule;
  const times = next.map((time) => time.toISOString());
  return { id: scheduleId, flowId, organizationId, cron, timezone, data: { ...data }, state, next: times };
}
