import type { Command } from "commander";
import { eventBody } from "../domain/events/event-body.ts";
import { recordAudit } from "../operations/audit/record-audit.ts";
import { showEvent } from "../operations/events/find-event.ts";
import { replayEvent, replayRange } from "../operations/events/replay.ts";
import { listEvents } from "../storage/events/list-events.ts";
import { addCommand, type CliDependencies, ids, limitNumber, pointInTime, UsageError } from "./cli.ts";
import { cliActor } from "./cli-actor.ts";
import { registerEventEndpoints } from "./event-endpoints.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

const DEFAULT_LIST_MS = 86_400_000;
const DEFAULT_LIST_SIZE = 50;
const TIMES = "2h, 3d, or 2026-01-31T12:00:00Z";

interface Flags {
  readonly org?: string;
  readonly json?: boolean;
}

export function registerEvents(program: Command, dependencies: CliDependencies): void {
  const events = program.command("events").description("list, show and resend events");
  registerEventEndpoints(events, dependencies);
  addCommand(
    events,
    "list",
    "list events, newest first",
    "events list --org org_demo --type run.failed --since 2h",
  )
    .option("--org <id>", "only this organization")
    .option("--type <type>", "only this type or family: run.failed, run.*")
    .option("--since <time>", `start of the range: ${TIMES} (default: 1d)`, pointInTime)
    .option("--limit <count>", `max results (default: ${DEFAULT_LIST_SIZE})`, limitNumber)
    .action((flags: ListFlags) => list(dependencies, flags));
  addCommand(
    events,
    "show <eventId>",
    "show an event as it is sent, and its deliveries",
    "events show evt_…",
  ).action((eventId: string, flags: Flags) => show(dependencies, eventId, flags));
  addCommand(
    events,
    "replay [eventId]",
    "resend one event, or all events of a time range, with the same ids",
    "events replay --org org_demo --since 2h --failed",
  )
    .option("--org <id>", "the organization, for a time range")
    .option("--endpoint <id>", "only to this endpoint")
    .option("--since <time>", `start of the range: ${TIMES}`, pointInTime)
    .option("--until <time>", "end of the range (default: now)", pointInTime)
    .option("--failed", "only deliveries that failed for good")
    .action((eventId: string | undefined, flags: ReplayFlags) => replay(dependencies, eventId, flags));
}

interface ListFlags extends Flags {
  readonly type?: string;
  readonly since?: Date;
  readonly limit?: number;
}

async function list(
  { withDatabase, stdout }: CliDependencies,
  { org, type, since, limit = DEFAULT_LIST_SIZE, json }: ListFlags,
): Promise<void> {
  const filter = {
    organizationId: org,
    type,
    since: since ?? new Date(Date.now() - DEFAULT_LIST_MS),
    most: limit,
  };
  const events = await withDatabase("events list", ({ pool }) => listEvents(pool, filter));
  if (json)
    return stdout(
      listJson(
        events.map(({ id, type, organizationId, runId, at }) => ({ id, type, organizationId, runId, at })),
      ),
    );
  const rows = events.map(({ id, type, organizationId, runId, at }) => ({
    id,
    type,
    organization: organizationId,
    run: runId,
    at,
  }));
  stdout(table(rows));
}

async function show(
  { withDatabase, stdout }: CliDependencies,
  eventId: string,
  { json }: Flags,
): Promise<void> {
  const { event, deliveries } = await withDatabase("events show", ({ pool }) => showEvent(pool, eventId));
  // The link answers an approval without a key; whoever reads this has other ways.
  const sent = JSON.parse(eventBody(event.organizationId, event, () => "(hidden)")) as object;
  if (json) return stdout(JSON.stringify({ event: sent, deliveries }));
  stdout(JSON.stringify(sent, null, 2));
  const rows = deliveries.map(({ endpointId, state, attempts, lastAt, lastStatus, lastFailure, nextAt }) => ({
    endpoint: endpointId,
    state,
    attempts,
    "last attempt": lastAt,
    status: lastStatus,
    failure: lastFailure,
    "next attempt": nextAt,
  }));
  stdout(rows.length === 0 ? "\nNo endpoint has been sent it yet." : `\n${table(rows)}`);
}

interface ReplayFlags extends Flags {
  readonly endpoint?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly failed?: boolean;
}

async function replay(
  { withDatabase, stdout }: CliDependencies,
  eventId: string | undefined,
  { org, endpoint, since, until, failed = false, json }: ReplayFlags,
): Promise<void> {
  if (eventId === undefined && (!org || !since))
    throw new UsageError("Give an event id, or a time range with --org and --since.");
  const replayed = await withDatabase("events replay", async ({ pool }) => {
    const event = eventId === undefined ? undefined : (await showEvent(pool, eventId)).event;
    const organizationId = event?.organizationId ?? org!;
    await recordAudit({ db: pool, ids }, cliActor(), {
      organizationId,
      action: "delivery.resend",
      target: endpoint ?? eventId ?? organizationId,
      after: { eventId, since, until, onlyFailed: failed },
    });
    if (eventId !== undefined) return replayEvent(pool, eventId, endpoint);
    const range = { since: since!, until: until ?? new Date(), onlyFailed: failed };
    return replayRange(pool, { organizationId, endpointId: endpoint, ...range });
  });
  stdout(json ? JSON.stringify({ replayed }) : `${replayed} deliveries are sent again.`);
}
