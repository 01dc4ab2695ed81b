import type { setSchedulePaused } from "../../../operations/schedules/manage-schedules.ts";
import type { ContextOf } from "../../route.ts";
import { switchSchedule } from "./switch-schedule.ts";

export const pauseScheduleRoute = (context: ContextOf<typeof setSchedulePaused>) =>
  switchSchedule(context, "pause", "Pause a schedule: it starts nothing until it is resumed");
