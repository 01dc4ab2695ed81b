import { nodeTypes } from "../engine/nodes/registry.ts";
import { createReplay } from "../engine/replay/replay.ts";
import { createSandbox } from "../engine/sandbox/pool.ts";
import type { Route } from "../http/route.ts";
import { backtestFlowRoute } from "../http/routes/manage/backtest-flow.ts";
import { createFlowRoute } from "../http/routes/manage/create-flow.ts";
import { evaluateDraftRoute } from "../http/routes/manage/evaluate-draft.ts";
import { testDraftRoute } from "../http/routes/manage/test-draft.ts";
import { listTemplatesRoute } from "../http/routes/manage/list-templates.ts";
import { saveRunAsTestRoute } from "../http/routes/manage/save-run-as-test.ts";
import { ReplayDesk } from "../operations/backtest/replay-desk.ts";
import { readTemplates, type Template } from "../operations/templates/read-templates.ts";
import { templatesDirectory } from "../package-files.ts";
import type { Foundation } from "./foundation.ts";

/** Replays for callers. Their code runs in children of its own: runs do not wait for it. */
export function composeReplays({ shutdown }: Foundation): ReplayDesk {
  const sandbox = createSandbox({ size: 1 });
  shutdown.add("replays", () => sandbox.close());
  return new ReplayDesk(createReplay(sandbox));
}

/** Flows that are replayed for their authors, and flows to begin with. */
export function composeReplayRoutes({ pools, ids, library }: Foundation, replays: ReplayDesk): Route[] {
  let read: Promise<Template[]> | undefined;
  const templates = () => (read ??= readTemplates(templatesDirectory));
  const context = { db: pools.api, pool: pools.api, ids, catalogue: nodeTypes, library, replays, templates };
  return [
    backtestFlowRoute(context),
    evaluateDraftRoute(context),
    testDraftRoute(context),
    saveRunAsTestRoute(context),
    listTemplatesRoute(context),
    createFlowRoute(context),
  ];
}
