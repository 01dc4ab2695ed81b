import type { setActive } from "../../../operations/manage-flows/set-active.ts";
import type { ContextOf } from "../../route.ts";
import { switchFlow } from "./switch-flow.ts";

export const deactivateFlowRoute = (context: ContextOf<typeof setActive>) =>
  switchFlow(context, "deactivate", "Keep webhooks and schedules from starting a flow; the API still can");
