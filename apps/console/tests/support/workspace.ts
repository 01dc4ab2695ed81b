import type { Browser } from "playwright-core";
import { chain, node } from "../../../../packages/server/tests/support/runs-flows.ts";
import {
  type RunTestService,
  startRunService,
} from "../../../../packages/server/tests/support/runs-service.ts";
import { addAgent, addKey, addUser } from "../../../../packages/server/tests/support/workspace.ts";
import type { Look, WatchedPage } from "./browser.ts";
import { addHostileDraft } from "./hostile-draft.ts";
import { HOSTILE, HOSTILE_NAME } from "./hostile.ts";
import { openSignedIn } from "./signed-in.ts";

export interface ConsoleWorkspace {
  readonly service: RunTestService;
  /** Key of an owner, with all rights. */
  readonly ownerKey: string;
  /** Runs that ended in each way, and one that waits for an answer. */
  readonly runs: { completed: string; failed: string; paused: string; loop: string; hostile: string };
  /** Of flow_hostile, the older one first. */
  readonly versions: readonly [string, string];
  /** What somebody without a key is given: the address of an approval, and of a shared run. */
  readonly links: { approval: string; share: string };
}

/** An organization with flows that branch, loop, wait and fail, a run of each, an agent to talk to, and hostile names. */
export async function startWorkspace(): Promise<ConsoleWorkspace> {
  const service = await startRunService({ concurrency: 20, credits: 100_000 });
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
  const manage = async (method: "GET" | "POST" | "PUT", path: string, body?: object) => {
    const answer = await service.send(method, path, { key: ownerKey, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const versions = await addHostileThings(service, manage);
  const begin = (flowId: string, body: object = {}) => service.begin(flowId, body as Record<string, unknown>);
  const runs = {
    completed: await begin("flow_hello", {
      payload: { trigger: { body: { name: "Ada" } } },
      tags: [HOSTILE_NAME],
    }),
    failed: await begin("flow_failing"),
    paused: await begin("flow_asking"),
    loop: await begin("flow_loop"),
    hostile: await begin("flow_hostile", {
      payload: { trigger: { body: { [HOSTILE]: HOSTILE } }, data: { megabyte: "w".repeat(1_000_000) } },
      tags: [HOSTILE_NAME, "<script>globalThis.broken=2</script>"],
    }),
  };
  await addHostileDraft(manage, async (flowId) => {
    const payload = { trigger: { body: { [HOSTILE]: HOSTILE } }, data: { megabyte: "w".repeat(1_000_000) } };
    await service.untilStatus(await begin(flowId, { payload }), "COMPLETED");
  });
  await service.untilStatus(runs.completed, "COMPLETED");
  await service.untilStatus(runs.failed, "FAILED");
  await service.untilStatus(runs.paused, "PAUSED");
  await service.untilStatus(runs.loop, "COMPLETED");
  const asked = await service.untilStatus(runs.hostile, "PAUSED");
  const share = await manage("POST", `/manage/runs/${runs.hostile}/share`, { reveal: ["keep"] });
  const links = { approval: pathOf(asked.pause.resumeUrl), share: pathOf(share.url) };
  return { service, ownerKey, runs, versions, links };
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

type Manage = (
  method: "POST" | "PUT",
  path: string,
  body: object,
) => Promise<{ documents: { version: string }[] }>;

/** On every page something with a name that somebody wrote to break it. */
async function addHostileThings(service: RunTestService, manage: Manage): Promise<[string, string]> {
  const flow = (more: readonly object[]) => ({
    kind: "Flow",
    id: "flow_hostile",
    organizationId: "org_run",
    name: HOSTILE_NAME,
    slug: "hostile",
    webhook: { enabled: true },
    schedules: [{ id: "nightly", cron: "0 3 * * *", timezone: "Europe/Istanbul" }],
    graph: {
      nodes: [
        { id: "start", type: "start", data: {} },
        {
          id: "keep",
          type: "set",
          data: { label: HOSTILE_NAME, inputs: { values: { text: HOSTILE, data: "{{ data }}" } } },
        },
        ...more,
        {
          id: "ask",
          type: "approval",
          data: { label: HOSTILE_NAME, inputs: { message: HOSTILE.repeat(3) } },
        },
      ],
      edges: [
        { id: "e1", source: "start", target: "keep" },
        { id: "e2", source: "keep", target: more.length > 0 ? "also" : "ask" },
        ...(more.length > 0 ? [{ id: "e3", source: "also", target: "ask" }] : []),
      ],
    },
  });
  const apply = async (document: object) => {
    await manage("POST", "/manage/documents", {
      files: [{ path: "hostile.yaml", text: JSON.stringify(document) }],
      note: HOSTILE_NAME,
    });
  };
  await apply(flow([]));
  await apply(flow([{ id: "also", type: "set", data: { label: HOSTILE_NAME, inputs: { values: {} } } }]));
  const { pool } = service.database;
  await addUser(pool, "mallory", { org_run: "member" });
  await pool.query(`UPDATE users SET name = $1 WHERE id = 'mallory'`, [HOSTILE_NAME]);
  await pool.query(`UPDATE agents SET name = $1 WHERE id = 'agent_helper'`, [HOSTILE_NAME]);
  await manage("POST", "/manage/keys", { name: HOSTILE_NAME, organizationId: "org_run" });
  await manage("POST", "/manage/credits/entries", {
    organizationId: "org_run",
    amount: 5,
    note: HOSTILE_NAME,
  });
  await manage("PUT", "/manage/credentials/cred_hostile", {
    organizationId: "org_run",
    type: "http-bearer",
    allowedHosts: ["api.example.com"],
    secret: { token: HOSTILE_NAME },
  });
  await manage("PUT", "/manage/event-endpoints/hooks_hostile", {
    organizationId: "org_run",
    url: `http://127.0.0.1:9/${"w".repeat(400)}`,
    events: ["*"],
  });
  const listed = await service.get("/manage/flows/flow_hostile/versions", service.key);
  const [newer, older] = listed.body.data.data as { version: string }[];
  return [older!.version, newer!.version];
}

/** A page on which somebody has signed in, at the list of runs. */
export async function signedIn(
  browser: Browser,
  { service, ownerKey }: { readonly service: { readonly address: string }; readonly ownerKey: string },
  look: Look = {},
  key = ownerKey,
): Promise<WatchedPage> {
  const watched = await openSignedIn({ browser, address: service.address, key }, look);
  await watched.page.goto("/console/runs");
  await watched.page.locator("#main h1").waitFor();
  return watched;
}
