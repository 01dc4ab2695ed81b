import type { Command } from "commander";
import { toConfig } from "../config/load-config.ts";
import {
  DEFAULT_OVERLAP_MS,
  findEndpoint,
  rotateSecret,
  showSecret,
  switchEndpoint,
} from "../operations/events/manage-endpoint.ts";
import { replayRange } from "../operations/events/replay.ts";
import { testEndpoint } from "../operations/events/test-endpoint.ts";
import type { EndpointRecord } from "../storage/events/endpoint-record.ts";
import { listEndpoints } from "../storage/events/list-endpoints.ts";
import type { Database } from "../storage/open-database.ts";
import { createAddressGuard } from "../upstream/address-guard.ts";
import { createEventSender } from "../upstream/event-sender.ts";
import { addCommand, type CliDependencies, ids, lifetime, pointInTime } from "./cli.ts";
import { cliActor } from "./cli-actor.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

interface Flags {
  readonly org?: string;
  readonly json?: boolean;
}

export function registerEventEndpoints(events: Command, dependencies: CliDependencies): void {
  const endpoints = events.command("endpoints").description("manage the endpoints that receive events");
  const verb = (usage: string, summary: string, example: string) =>
    addCommand(endpoints, usage, summary, `events endpoints ${example}`).option(
      "--org <id>",
      "the organization, if several have an endpoint with this id",
    );
  addCommand(
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

async function list({ withDatabase, stdout }: CliDependencies, { org, json }: Flags): Promise<void> {
  const endpoints = await withDatabase("events endpoints list", ({ pool }) =>
    listEndpoints(pool, { organizationId: org }),
  );
  if (json) return stdout(listJson(endpoints));
  const rows = endpoints.map((endpoint) => ({
    id: endpoint.id,
    organization: endpoint.organizationId,
    state: stateOf(endpoint),
    url: endpoint.url,
    events: endpoint.events,
    delivered: endpoint.delivered,
    retrying: endpoint.retrying,
    "untried since": endpoint.oldestUntriedAt,
    "last success": endpoint.lastSuccessAt,
    "last failure": endpoint.lastFailure,
  }));
  stdout(table(rows));
}

function stateOf({ enabled, disabledReason, failingSince, lastSuccessAt }: EndpointRecord): string {
  if (!enabled) return `disabled (${disabledReason ?? "operator"})`;
  if (failingSince) return "failing";
  return lastSuccessAt ? "healthy" : "new";
}

async function show(
  { withDatabase, stdout }: CliDependencies,
  id: string,
  { org, json }: Flags,
): Promise<void> {
  const shown = await withDatabase("events endpoints show", async (database) => {
    const endpoint = await findEndpoint(database, id, org);
    return { endpoint, signing: await showSecret(database, endpoint) };
  });
  const { endpoint, signing } = shown;
  if (json) return stdout(JSON.stringify({ ...endpoint, state: stateOf(endpoint), ...signing }));
  const lines: [string, string][] = [
    ["endpoint", `${endpoint.id} of ${endpoint.organizationId}`],
    ["state", stateOf(endpoint)],
    ["url", endpoint.url],
    ["events", endpoint.events.join(", ")],
    ["secret", signing.secret],
    ["old secret until", text(signing.previousUntil)],
    ["delivered", String(endpoint.delivered)],
    ["retrying", String(endpoint.retrying)],
    ["untried since", text(endpoint.oldestUntriedAt)],
    ["last success", text(endpoint.lastSuccessAt)],
    ["last failure", `${text(endpoint.lastFailureAt)} ${endpoint.lastFailure ?? ""}`.trim()],
    ["failing since", text(endpoint.failingSince)],
  ];
  stdout(lines.map(([name, value]) => `${name.padEnd(17)} ${value}`).join("\n"));
}

function text(time: Date | null): string {
  return time?.toISOString() ?? "-";
}

async function enable(
  { withDatabase, stdout }: CliDependencies,
  id: string,
  { org, since, json }: Flags & { since?: Date },
): Promise<void> {
  const replayed = await withDatabase("events endpoints enable", async ({ pool }) => {
    const endpoint = await findEndpoint({ pool }, id, org);
    await switchEndpoint({ pool, ids }, cliActor(), endpoint, true);
    if (!since) return 0;
    const { organizationId } = endpoint;
    return replayRange(pool, { organizationId, endpointId: id, since, until: new Date(), onlyFailed: false });
  });
  if (json) return stdout(JSON.stringify({ id, enabled: true, replayed }));
  stdout(`${id} is enabled.${since ? ` ${replayed} events are sent again.` : ""}`);
}

async function disable(
  { withDatabase, stdout }: CliDependencies,
  id: string,
  { org, json }: Flags,
): Promise<void> {
  await withDatabase("events endpoints disable", async ({ pool }) =>
    switchEndpoint({ pool, ids }, cliActor(), await findEndpoint({ pool }, id, org), false),
  );
  stdout(json ? JSON.stringify({ id, enabled: false }) : `${id} is disabled.`);
}

interface RotateFlags extends Flags {
  readonly overlap?: number;
  readonly force?: boolean;
}

async function rotate(
  { withDatabase, stdout }: CliDependencies,
  id: string,
  { org, overlap: overlapMs = DEFAULT_OVERLAP_MS, force = false, json }: RotateFlags,
): Promise<void> {
  const rotated = await withDatabase("events endpoints rotate-secret", async ({ pool, secrets }) => {
    const endpoint = await findEndpoint({ pool }, id, org);
    return rotateSecret({ pool, secrets, ids }, cliActor(), endpoint, { overlapMs, force });
  });
  if (!rotated) {
    throw new Error(
      "The secret before the current one is still valid; receivers may not have the current one yet. Wait for its end, or use --force.",
    );
  }
  const { secret, previousUntil } = rotated;
  if (json) return stdout(JSON.stringify({ id, secret, previousUntil }));
  stdout(
    `${secret}\n\n${previousUntil ? `The old secret signs too until ${text(previousUntil)}.` : "The old secret signs no more."}`,
  );
}

async function test(
  { withDatabase, env, stdout }: CliDependencies,
  id: string,
  { org, json }: Flags,
): Promise<void> {
  const { egressAllow } = toConfig(env);
  const result = await withDatabase("events endpoints test", (database) =>
    sendTest(database, egressAllow, id, org),
  );
  const { delivered, status, failure, durationMs, answer } = result;
  if (json) stdout(JSON.stringify(result));
  else if (delivered) stdout(`The test event arrived: HTTP ${status} after ${durationMs} ms.`);
  if (!delivered) {
    throw new Error(
      `The test event did not arrive after ${durationMs} ms: ${failure}${answer ? `\n${answer}` : ""}`,
    );
  }
}

async function sendTest(
  { pool, secrets }: Database,
  egressAllow: readonly string[],
  id: string,
  org: string | undefined,
) {
  const endpoint = await findEndpoint({ pool }, id, org);
  const sender = createEventSender({ guard: createAddressGuard({ allow: egressAllow }) });
  try {
    return await testEndpoint({ pool, secrets, sender, ids, now: () => new Date() }, endpoint);
  } finally {
    await sender.close();
  }
}
