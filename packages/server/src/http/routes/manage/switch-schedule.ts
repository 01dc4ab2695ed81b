import { scheduleAnswer } from "@millrace/contract/manage/schedules";
import { setSchedulePaused } from "../../../operations/schedules/manage-schedules.ts";
import { presentSchedule } from "../../presenters/schedule.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

/** What `pause` and `resume` of a schedule have in common. */
export function switchSchedule(
  context: ContextOf<typeof setSchedulePaused>,
  verb: "pause" | "resume",
  summary: string,
) {
  return defineRoute({
    method: "POST",
    path: `/manage/flows/{flowId}/schedules/{scheduleId}/${verb}`,
    name: `${verb}Schedule`,
    summary,
    tag: "Manage",
    access: "key",
    role: "admin",
    answers: { 200: { description: "The schedule", schema: scheduleAnswer } },
    errors: ["invalid_flow_id", "access_denied", "flow_not_found", "schedule_not_found"],
    async handle({ principal, actor, params }) {
      const named = { flowId: params.flowId!, scheduleId: params.scheduleId! };
      const schedule = await setSchedulePaused(context, { principal, actor }, named, verb === "pause");
      return { status: 200, body: { success: true, data: presentSchedule(schedule) } };
    },
  });
}
