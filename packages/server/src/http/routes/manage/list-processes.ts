import { processesAnswer } from "@millrace/contract/manage/service";
import { listProcesses } from "../../../operations/service/list-processes.ts";
import { presentProcess } from "../../presenters/service-state.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listProcessesRoute = (context: ContextOf<typeof listProcesses>) =>
  defineRoute({
    method: "GET",
    path: "/manage/processes",
    name: "listProcesses",
    summary: "List the processes of the service",
    tag: "Manage",
    access: "key",
    role: "owner",
    answers: { 200: { description: "Living ones first", schema: processesAnswer } },
    errors: [],
    async handle() {
      const processes = await listProcesses(context);
      return { status: 200, body: { success: true, data: { data: processes.map(presentProcess) } } };
    },
  });
