import { schedulesAnswer, schedulesQuery } from "@millrace/contract/manage/schedules";
import { listSchedules } from "../../../operations/schedules/manage-schedules.ts";
import { presentPage } from "../../presenters/list.ts";
import { presentSchedule } from "../../presenters/schedule.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listSchedulesRoute = (context: ContextOf<typeof listSchedules>) =>
  defineRoute({
    method: "GET",
    path: "/manage/schedules",
    name: "listSchedules",
    summary: "List the schedules of an organization, each with its next five times",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: schedulesQuery,
    answers: { 200: { description: "A page of schedules", schema: schedulesAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      const page = await listSchedules(context, principal, query);
      return { status: 200, body: presentPage(page, presentSchedule) };
    },
  });
