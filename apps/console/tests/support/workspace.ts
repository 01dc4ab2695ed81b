import type { Browser } from "playwright-core";
import { chain, node } from "../../../../packages/server/tests/support/runs-flows.ts";
import {
  type RunTestService,
  startRunService,
} from "../../../../packages/server/tests/support/runs-service.ts";
import { addAgent, addKey } from "../../../../packages/server/tests/support/workspace.ts";
import { type Look, openPage, type WatchedPage } from "./browser.ts";

export interface ConsoleWorkspace {
  readonly service: RunTestService;
  /** Key of an owner, with all rights. */
  readonly ownerKey: string;
  /** Runs that ended in each way, and one that waits for an answer. */
  readonly runs: { completed: string; failed: string; paused: string; loop: string };
}

/** What is hostile about a name: markup, control characters, the other direction of writing. */
const HOSTILE = `<img src=x onerror="globalThis.broken=1">\u202Egnp.exe\u0007 ${"w".repeat(300)}`;

/** An organization with flows that branch, loop, wait and fail, a run of each, and an agent to talk to. */
export async function startWorkspace(): Promise<ConsoleWorkspace> {
  const service = await startRunService({ concurrency: 20 });
  const { pool } = service.database;
  const { key: ownerKey } = await addKey(pool, { organizationId: "org_run", userId: "rosa", role: "owner" });
  await addAgent(pool, "org_run", "agent_helper");
  await service.flow(
    "flow_hello",
    chain(node("greet", "set", { values: { text: "Hello {{ trigger.body.name }}" } })),
  );
  await service.flow("flow_failing", chain(node("check", "fail", { message: HOSTILE })));
  await service.flow(
    "flow_asking",
    chain(node("ask", "approval", { message: "Refund 40 to Ada?", timeout: "2d" })),
  );
  await service.flow("flow_loop", {
    nodes: [
      { id: "start", type: "start", data: {} },
      { id: "each", type: "for-each", data: { inputs: { items: "{{ [1..30] }}" } } },
      { id: "line", type: "set", parentId: "each", data: { inputs: { values: { n: "{{ index }}" } } } },
    ],
    edges: [{ id: "e1", source: "start", target: "each" }],
  });
  const begin = (flowId: string, body: object = {}) => service.begin(flowId, body as Record<string, unknown>);
  const runs = {
    completed: await begin("flow_hello", {
      payload: { trigger: { body: { name: "Ada" } } },
      tags: [HOSTILE.slice(0, 100).replaceAll("\u0007", "")],
    }),
    failed: await begin("flow_failing"),
    paused: await begin("flow_asking"),
    loop: await begin("flow_loop"),
  };
  await service.untilStatus(runs.completed, "COMPLETED");
  await service.untilStatus(runs.failed, "FAILED");
  await service.untilStatus(runs.paused, "PAUSED");
  await service.untilStatus(runs.loop, "COMPLETED");
  return { service, ownerKey, runs };
}

/** A page on which somebody has signed in with a key. */
export async function signedIn(
  browser: Browser,
  { service, ownerKey }: Pick<ConsoleWorkspace, "service" | "ownerKey">,
  look: Look = {},
  key = ownerKey,
): Promise<WatchedPage> {
  const watched = await openPage(browser, service.address, look);
  const { page } = watched;
  await page.goto("/console/login");
  await page.locator("#key").fill(key);
  await page.locator("form button[type=submit]").click();
  await page.locator("#main h1").waitFor();
  return watched;
}
