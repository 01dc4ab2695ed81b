import type { setSchedulePaused } from "../../../operations/schedules/manage-schedules.ts";
import type { ContextOf } from "../../route.ts";
import { switchSchedule } from "./switch-schedule.ts";

export const resumeScheduleRoute = (context: ContextOf<typeof setSchedulePaused>) =>
  switchSchedule(context, "resume", "Resume a schedule from its next time on");
