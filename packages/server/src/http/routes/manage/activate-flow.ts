import type { setActive } from "../../../operations/manage-flows/set-active.ts";
import type { ContextOf } from "../../route.ts";
import { switchFlow } from "./switch-flow.ts";

export const activateFlowRoute = (context: ContextOf<typeof setActive>) =>
  switchFlow(context, "activate", "Let webhooks and schedules start a flow");
