import { runCreatedAnswer, runQueuedAnswer } from "@millrace/contract/trigger";
import { runSchedule } from "../../../operations/schedules/manage-schedules.ts";
import { presentRunStart } from "../../presenters/run-start.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const runScheduleRoute = (context: ContextOf<typeof runSchedule>) =>
  defineRoute({
    method: "POST",
    path: "/manage/flows/{flowId}/schedules/{scheduleId}/run",
    name: "runSchedule",
    summary: "Start a run as the schedule would, now",
    tag: "Manage",
    access: "key",
    role: "member",
    answers: {
      201: { description: "The run was created", schema: runCreatedAnswer },
      202: { description: "The run waits in the queue", schema: runQueuedAnswer },
    },
    errors: [
      "invalid_flow_id",
      "flow_validation_failed",
      "insufficient_credits",
      "access_denied",
      "flow_not_found",
      "schedule_not_found",
      "queue_limit_reached",
    ],
    async handle({ principal, actor, params }) {
      const named = { flowId: params.flowId!, scheduleId: params.scheduleId! };
      return presentRunStart(await runSchedule(context, { principal, actor }, named));
    },
  });
