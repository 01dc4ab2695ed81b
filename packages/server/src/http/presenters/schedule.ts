import type { Schedule } from "@millrace/contract/manage/schedules";
import type { ListedSchedule } from "../../operations/schedules/manage-schedules.ts";

export function presentSchedule(schedule: ListedSchedule): Schedule {
  const { scheduleId, flowId, organizationId, cron, timezone, data, next } = schedule;
  const state = stateOf(schedule);
  const times = next.map((time) => time.toISOString());
  return { id: scheduleId, flowId, organizationId, cron, timezone, data: { ...data }, state, next: times };
}

function stateOf({ paused, active, version }: ListedSchedule): Schedule["state"] {
  if (paused) return "paused";
  if (version === null) return "flow-draft";
  return active ? "running" : "flow-inactive";
}
