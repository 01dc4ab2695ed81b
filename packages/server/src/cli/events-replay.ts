import type { Manage } from "@millrace/client";
import type { Command } from "commander";
import { recordAudit } from "../operations/audit/record-audit.ts";
import { showEvent } from "../operations/events/find-event.ts";
import { replayEvent, replayRange } from "../operations/events/replay.ts";
import { allPages } from "./all-pages.ts";
import { cliActor } from "./cli-actor.ts";
import { type CliDependencies, ids, pointInTime, UsageError } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import type { ServiceFlags } from "./service-client.ts";

interface Flags extends ServiceFlags {
  readonly org?: string;
  readonly endpoint?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly failed?: boolean;
}

export function registerEventsReplay(events: Command, dependencies: CliDependencies): void {
  addManageCommand(
    events,
    "replay [eventId]",
    "resend one event, or all events of a time range, with the same ids",
    "events replay --org org_demo --since 2h --failed",
  )
    .option("--org <id>", "the organization, for a time range; over HTTP where the key reaches several")
    .option("--endpoint <id>", "only to this endpoint")
    .option("--since <time>", "start of the range: 2h, 3d, or 2026-01-31T12:00:00Z", pointInTime)
    .option("--until <time>", "end of the range (default: now)", pointInTime)
    .option("--failed", "only deliveries that failed for good")
    .action((eventId: string | undefined, flags: Flags) => replay(dependencies, eventId, flags));
}

async function replay(
  dependencies: CliDependencies,
  eventId: string | undefined,
  flags: Flags,
): Promise<void> {
  if (eventId === undefined && !flags.since)
    throw new UsageError("Give an event id, or a time range with --org and --since.");
  const replayed = await eitherWay(dependencies, flags, {
    service: ({ manage }) => overHttp(manage, eventId, flags),
    database: () => onDatabase(dependencies, eventId, flags),
  });
  dependencies.stdout(flags.json ? JSON.stringify({ replayed }) : `${replayed} deliveries are sent again.`);
}

/** At each endpoint that is enabled, or the one that is named. */
async function overHttp(manage: Manage, eventId: string | undefined, flags: Flags): Promise<number> {
  const { org, endpoint, since, until, failed = false } = flags;
  const scope = { organizationId: org };
  const endpoints =
    endpoint === undefined
      ? (await allPages((page) => manage.eventEndpoints({ ...scope, ...page }))).filter(
          ({ enabled }) => enabled,
        )
      : [{ id: endpoint }];
  const range =
    eventId === undefined
      ? { since: since!.toISOString(), ...(until && { until: until.toISOString() }) }
      : { eventId };
  let replayed = 0;
  for (const { id } of endpoints)
    replayed += (await manage.resendDeliveries(id, { ...scope, ...range, onlyFailed: failed })).resent;
  return replayed;
}

async function onDatabase(
  { withDatabase }: CliDependencies,
  eventId: string | undefined,
  { org, endpoint, since, until, failed = false }: Flags,
): Promise<number> {
  if (eventId === undefined && org === undefined)
    throw new UsageError("Give an event id, or a time range with --org and --since.");
  return withDatabase("events replay", async ({ pool }) => {
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
}
