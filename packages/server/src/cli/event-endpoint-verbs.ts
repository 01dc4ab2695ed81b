import { toConfig } from "../config/load-config.ts";
import {
  DEFAULT_OVERLAP_MS,
  findEndpoint,
  rotateSecret,
  switchEndpoint,
} from "../operations/events/manage-endpoint.ts";
import { replayRange } from "../operations/events/replay.ts";
import { testEndpoint } from "../operations/events/test-endpoint.ts";
import type { Database } from "../storage/open-database.ts";
import { createAddressGuard } from "../upstream/address-guard.ts";
import { createEventSender } from "../upstream/event-sender.ts";
import { type CliDependencies, ids } from "./cli.ts";
import { cliActor } from "./cli-actor.ts";
import { eitherWay, timeText } from "./either-way.ts";
import { type Signing, text } from "./event-endpoint-texts.ts";
import type { ServiceFlags } from "./service-client.ts";

export interface Flags extends ServiceFlags {
  readonly org?: string;
}

export async function enable(
  dependencies: CliDependencies,
  id: string,
  flags: Flags & { since?: Date },
): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, since, json } = flags;
  const replayed = await eitherWay(dependencies, flags, {
    service: async ({ manage }) => {
      await manage.switchEventEndpoint(id, { organizationId: org, enabled: true });
      if (!since) return 0;
      const range = { organizationId: org, since: since.toISOString() };
      return (await manage.resendDeliveries(id, range)).resent;
    },
    database: () =>
      withDatabase("events endpoints enable", async ({ pool }) => {
        const endpoint = await findEndpoint({ pool }, id, org);
        await switchEndpoint({ pool, ids }, cliActor(), endpoint, true);
        if (!since) return 0;
        const range = { since, until: new Date(), onlyFailed: false };
        return replayRange(pool, { organizationId: endpoint.organizationId, endpointId: id, ...range });
      }),
  });
  if (json) return stdout(JSON.stringify({ id, enabled: true, replayed }));
  stdout(`${id} is enabled.${since ? ` ${replayed} events are sent again.` : ""}`);
}

export async function disable(dependencies: CliDependencies, id: string, flags: Flags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  await eitherWay<unknown, unknown>(dependencies, flags, {
    service: ({ manage }) => manage.switchEventEndpoint(id, { organizationId: flags.org, enabled: false }),
    database: () =>
      withDatabase("events endpoints disable", async ({ pool }) =>
        switchEndpoint({ pool, ids }, cliActor(), await findEndpoint({ pool }, id, flags.org), false),
      ),
  });
  stdout(flags.json ? JSON.stringify({ id, enabled: false }) : `${id} is disabled.`);
}

export interface RotateFlags extends Flags {
  readonly overlap?: number;
  readonly force?: boolean;
}

export async function rotate(dependencies: CliDependencies, id: string, flags: RotateFlags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, overlap: overlapMs = DEFAULT_OVERLAP_MS, force = false, json } = flags;
  const rotated = await eitherWay<Signing, Signing | undefined>(dependencies, flags, {
    service: ({ manage }) => {
      const asked = overlapMs === 0 ? "0" : timeText(overlapMs);
      return manage.rotateEventEndpointSecret(id, { organizationId: org, overlap: asked, force });
    },
    database: () =>
      withDatabase("events endpoints rotate-secret", async ({ pool, secrets }) => {
        const endpoint = await findEndpoint({ pool }, id, org);
        return rotateSecret({ pool, secrets, ids }, cliActor(), endpoint, { overlapMs, force });
      }),
  });
  if (!rotated) {
    throw new Error(
      "The secret before the current one is still valid; receivers may not have the current one yet. Wait for its end, or use --force.",
    );
  }
  const { secret, previousUntil = null } = rotated;
  if (json) return stdout(JSON.stringify({ id, secret, previousUntil }));
  stdout(
    `${secret}\n\n${previousUntil ? `The old secret signs too until ${text(previousUntil)}.` : "The old secret signs no more."}`,
  );
}

/** Over HTTP the service itself sends it, by its own rules for what may be reached. */
export async function test(dependencies: CliDependencies, id: string, flags: Flags): Promise<void> {
  const { withDatabase, env, stdout } = dependencies;
  const result = await eitherWay<Tested, Tested>(dependencies, flags, {
    service: ({ manage }) => manage.testEventEndpoint(id, { organizationId: flags.org }),
    database: () => {
      const { egressAllow } = toConfig(env);
      return withDatabase("events endpoints test", (database) =>
        sendTest(database, egressAllow, id, flags.org),
      );
    },
  });
  const { delivered, status, failure, durationMs, answer } = result;
  if (flags.json) stdout(JSON.stringify(result));
  else if (delivered) stdout(`The test event arrived: HTTP ${status} after ${durationMs} ms.`);
  if (!delivered) {
    throw new Error(
      `The test event did not arrive after ${durationMs} ms: ${failure}${answer ? `\n${answer}` : ""}`,
    );
  }
}

interface Tested {
  readonly delivered: boolean;
  readonly status?: number;
  readonly failure?: string;
  readonly durationMs: number;
  readonly answer?: string;
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
