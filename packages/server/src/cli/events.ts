import type { Command } from "commander";
import { listEvents } from "../storage/events/list-events.ts";
import { type CliDependencies, limitNumber, pointInTime } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { registerEventEndpoints } from "./event-endpoints.ts";
import { registerEventsReplay } from "./events-replay.ts";
import { registerEventsShow } from "./events-show.ts";
import { listJson } from "./list-json.ts";
import type { ServiceFlags } from "./service-client.ts";
import { table } from "./table.ts";

const DEFAULT_LIST_MS = 86_400_000;
const DEFAULT_LIST_SIZE = 50;
const MAX_PAGES = 50;
const PAGE_SIZE = 100;
const TIMES = "2h, 3d, or 2026-01-31T12:00:00Z";

interface ListFlags extends ServiceFlags {
  readonly org?: string;
  readonly type?: string;
  readonly since?: Date;
  readonly limit?: number;
}

export function registerEvents(program: Command, dependencies: CliDependencies): void {
  const events = program.command("events").description("list, show and resend events");
  registerEventEndpoints(events, dependencies);
  addManageCommand(
    events,
    "list",
    "list events, newest first",
    "events list --org org_demo --type run.failed --since 2h",
  )
    .option("--org <id>", "only this organization; required where the key reaches several")
    .option("--type <type>", "only this type or family: run.failed, run.*")
    .option("--since <time>", `start of the range: ${TIMES} (default: 1d)`, pointInTime)
    .option("--limit <count>", `max results (default: ${DEFAULT_LIST_SIZE})`, limitNumber)
    .action((flags: ListFlags) => list(dependencies, flags));
  registerEventsShow(events, dependencies);
  registerEventsReplay(events, dependencies);
}

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly organizationId: string;
  readonly runId?: string | null | undefined;
  readonly at: Date | string;
}

async function list(dependencies: CliDependencies, flags: ListFlags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, type, limit = DEFAULT_LIST_SIZE, json } = flags;
  const since = flags.since ?? new Date(Date.now() - DEFAULT_LIST_MS);
  const events = await eitherWay<Listed[], Listed[]>(dependencies, flags, {
    service: async ({ manage }) => {
      const found: Listed[] = [];
      let after: string | undefined;
      for (let page = 0; page < MAX_PAGES && found.length < limit; page++) {
        const request = { organizationId: org, type, from: since, pageSize: PAGE_SIZE, after };
        const { data, pagination } = await manage.events.list(request);
        found.push(...data);
        after = pagination.next;
        if (after === undefined) break;
      }
      return found.slice(0, limit);
    },
    database: () =>
      withDatabase("events list", ({ pool }) =>
        listEvents(pool, { organizationId: org, type, since, most: limit }),
      ),
  });
  const listed = events.map(({ id, type: kind, organizationId, runId, at }) => ({
    id,
    type: kind,
    organizationId,
    runId: runId ?? null,
    at: new Date(at),
  }));
  if (json) return stdout(listJson(listed));
  const rows = listed.map(({ id, type: kind, organizationId, runId, at }) => ({
    id,
    type: kind,
    organization: organizationId,
    run: runId,
    at,
  }));
  stdout(table(rows));
}
