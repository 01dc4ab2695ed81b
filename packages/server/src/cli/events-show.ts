import type { Command } from "commander";
import { eventBody } from "../domain/events/event-body.ts";
import { showEvent } from "../operations/events/find-event.ts";
import type { CliDependencies } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { time } from "./event-endpoint-texts.ts";
import type { ServiceFlags } from "./service-client.ts";
import { table } from "./table.ts";
import { pretty } from "./texts.ts";

export function registerEventsShow(events: Command, dependencies: CliDependencies): void {
  addManageCommand(
    events,
    "show <eventId>",
    "show an event as it is sent, and its deliveries",
    "events show evt_…",
  ).action((eventId: string, flags: ServiceFlags) => show(dependencies, eventId, flags));
}

type Moment = Date | string | null | undefined;

interface Shown {
  readonly event: object;
  readonly deliveries: readonly {
    readonly endpointId: string;
    readonly state: string;
    readonly attempts: number;
    readonly lastAt?: Moment;
    readonly lastStatus?: number | null | undefined;
    readonly lastFailure?: string | null | undefined;
    readonly nextAt?: Moment;
  }[];
}

async function show(dependencies: CliDependencies, eventId: string, flags: ServiceFlags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { event, deliveries } = await eitherWay<Shown, Shown>(dependencies, flags, {
    service: ({ manage }) => manage.events.get(eventId),
    database: async () => {
      const stored = await withDatabase("events show", ({ pool }) => showEvent(pool, eventId));
      // The link answers an approval without a key; whoever reads this has other ways.
      const sent = eventBody(stored.event.organizationId, stored.event, () => "(hidden)");
      return { event: JSON.parse(sent) as object, deliveries: stored.deliveries };
    },
  });
  if (flags.json) return stdout(JSON.stringify({ event, deliveries }));
  stdout(pretty(event));
  const rows = deliveries.map(({ endpointId, state, attempts, lastAt, lastStatus, lastFailure, nextAt }) => ({
    endpoint: endpointId,
    state,
    attempts,
    "last attempt": time(lastAt),
    status: lastStatus,
    failure: lastFailure,
    "next attempt": time(nextAt),
  }));
  stdout(rows.length === 0 ? "\nNo endpoint has been sent it yet." : `\n${table(rows)}`);
}
