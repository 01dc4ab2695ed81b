import { dutiesAnswer } from "@millrace/contract/manage/service";
import type { DutyState } from "../../../lifecycle/duty.ts";
import { presentDuty } from "../../presenters/service-state.ts";
import { defineRoute } from "../../route.ts";

export const listDutiesRoute = ({
  processId,
  duties,
}: {
  readonly processId: string;
  readonly duties: () => readonly DutyState[];
}) =>
  defineRoute({
    method: "GET",
    path: "/manage/duties",
    name: "listDuties",
    summary: "List the background duties of the process that answers",
    tag: "Manage",
    access: "key",
    role: "owner",
    answers: { 200: { description: "Duties with their last success", schema: dutiesAnswer } },
    errors: [],
    handle: () => ({
      status: 200,
      body: { success: true, data: { processId, data: duties().map(presentDuty) } },
    }),
  });
