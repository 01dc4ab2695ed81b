import type { EventEndpoint, Manage, Page } from "@millrace/client";
import type { Command } from "commander";
import { findEndpoint, showSecret } from "../operations/events/manage-endpoint.ts";
import type { EndpointRecord } from "../storage/events/endpoint-record.ts";
import { listEndpoints } from "../storage/events/list-endpoints.ts";
import { type CliDependencies, lifetime, pointInTime } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { type Signing, stateOf, text, time } from "./event-endpoint-texts.ts";
import { disable, enable, type Flags, rotate, type RotateFlags, test } from "./event-endpoint-verbs.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

export function registerEventEndpoints(events: Command, dependencies: CliDependencies): void {
  const endpoints = events.command("endpoints").description("manage the endpoints that receive events");
  const verb = (usage: string, summary: string, example: string) =>
    addManageCommand(endpoints, usage, summary, `events endpoints ${example}`).option(
      "--org <id>",
      "the organization, if several have an endpoint with this id",
    );
  addManageCommand(
    endpoints,
    "list",
    "list endpoints and their delivery status",
    "events endpoints list --org org_demo",
  )
    .option("--org <id>", "only this organization")
    .action((flags: Flags) => list(dependencies, flags));
  verb("show <endpointId>", "show an endpoint and its signing secret", "show hooks_main").action(
    (id: string, flags: Flags) => show(dependencies, id, flags),
  );
  verb("enable <endpointId>", "resume sending events", "enable hooks_main --since 2d")
    .option(
      "--since <time>",
      "also send events since this time: 2h, 3d, or 2026-01-31T12:00:00Z",
      pointInTime,
    )
    .action((id: string, flags: Flags & { since?: Date }) => enable(dependencies, id, flags));
  verb("disable <endpointId>", "stop sending events until it is enabled again", "disable hooks_main").action(
    (id: string, flags: Flags) => disable(dependencies, id, flags),
  );
  verb(
    "rotate-secret <endpointId>",
    "create a new signing secret; the old one keeps signing for a while",
    "rotate-secret hooks_main --overlap 1h",
  )
    .option("--overlap <time>", "how long the old secret keeps signing: 0, 30m, 12h (default: 24h)", overlap)
    .option("--force", "even if an earlier rotation is still in progress")
    .action((id: string, flags: RotateFlags) => rotate(dependencies, id, flags));
  verb("test <endpointId>", "send a test event and show the response", "test hooks_main").action(
    (id: string, flags: Flags) => test(dependencies, id, flags),
  );
}

function overlap(text: string): number {
  return text === "0" ? 0 : lifetime(text);
}

async function list(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, json } = flags;
  const listed = await eitherWay<Page<EventEndpoint>, EndpointRecord[]>(dependencies, flags, {
    service: ({ manage }) => manage.eventEndpoints({ organizationId: org, pageSize: 100 }),
    database: () =>
      withDatabase("events endpoints list", ({ pool }) => listEndpoints(pool, { organizationId: org })),
  });
  const endpoints: readonly (EventEndpoint | EndpointRecord)[] =
    "pagination" in listed ? listed.data : listed;
  if (json) return stdout(listJson(endpoints, "pagination" in listed ? listed.pagination : {}));
  const rows = endpoints.map((endpoint) => ({
    id: endpoint.id,
    organization: endpoint.organizationId,
    state: stateOf(endpoint),
    url: endpoint.url,
    events: endpoint.events,
    delivered: endpoint.delivered,
    retrying: endpoint.retrying,
    "untried since": time(endpoint.oldestUntriedAt),
    "last success": time(endpoint.lastSuccessAt),
    "last failure": endpoint.lastFailure,
  }));
  stdout(table(rows));
}

async function show(dependencies: CliDependencies, id: string, flags: Flags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, json } = flags;
  const shown = await eitherWay<
    { endpoint: EventEndpoint; signing: Signing },
    { endpoint: EndpointRecord; signing: Signing }
  >(dependencies, flags, {
    service: async ({ manage }) => ({
      endpoint: await ownEndpoint(manage, id, org),
      signing: await manage.eventEndpointSecret(id, { organizationId: org }),
    }),
    database: () =>
      withDatabase("events endpoints show", async (database) => {
        const endpoint = await findEndpoint(database, id, org);
        return { endpoint, signing: await showSecret(database, endpoint) };
      }),
  });
  const { endpoint, signing } = shown;
  const { secret, previousUntil } = signing;
  if (json) return stdout(JSON.stringify({ ...endpoint, state: stateOf(endpoint), secret, previousUntil }));
  const lines: [string, string][] = [
    ["endpoint", `${endpoint.id} of ${endpoint.organizationId}`],
    ["state", stateOf(endpoint)],
    ["url", endpoint.url],
    ["events", endpoint.events.join(", ")],
    ["secret", secret],
    ["old secret until", text(previousUntil)],
    ["delivered", String(endpoint.delivered)],
    ["retrying", String(endpoint.retrying)],
    ["untried since", text(endpoint.oldestUntriedAt)],
    ["last success", text(endpoint.lastSuccessAt)],
    ["last failure", `${text(endpoint.lastFailureAt)} ${endpoint.lastFailure ?? ""}`.trim()],
    ...("failingSince" in endpoint
      ? [["failing since", text(endpoint.failingSince)] as [string, string]]
      : []),
  ];
  stdout(lines.map(([name, value]) => `${name.padEnd(17)} ${value}`).join("\n"));
}

async function ownEndpoint(manage: Manage, id: string, org: string | undefined): Promise<EventEndpoint> {
  let after: string | undefined;
  do {
    const page = await manage.eventEndpoints({ organizationId: org, pageSize: 100, after });
    const found = page.data.find((endpoint) => endpoint.id === id);
    if (found) return found;
    after = page.pagination.next;
  } while (after !== undefined);
  throw new Error(`There is no event endpoint "${id}"; see: millrace events endpoints list`);
}
