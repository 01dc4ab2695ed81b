import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { RETRY_DELAYS_MS } from "../../src/domain/events/retry-schedule.ts";
import { makeSigningSecret } from "../../src/domain/events/signature.ts";
import { IdMaker } from "../../src/domain/ids.ts";
import { secretPlace } from "../../src/domain/secret-place.ts";
import { EventDelivery } from "../../src/operations/events/event-delivery.ts";
import { SendSlots } from "../../src/operations/events/send-slots.ts";
import type { RawDb } from "../support/database.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { createEventSender } from "../../src/upstream/event-sender.ts";
import { testSecretKey } from "../support/service.ts";

const ids = new IdMaker(() => Date.now());
const secrets = new SecretBox(testSecretKey);

/** An endpoint put straight into the table; its signing secret. */
export async function addEndpoint(
  db: RawDb,
  endpoint: { id: string; url: string; organizationId?: string; events?: string[] },
): Promise<string> {
  const { id, url, organizationId = "org_one", events = ["*"] } = endpoint;
  const secret = makeSigningSecret();
  await db.query(
    `INSERT INTO event_endpoints (organization_id, id, url, events, secret_ciphertext) VALUES ($1, $2, $3, $4, $5)`,
    [
      organizationId,
      id,
      url,
      events,
      secrets.seal(secretPlace(organizationId, "event-endpoint", id), secret),
    ],
  );
  return secret;
}

/** Events of one new run, numbered from 1, as the engine writes them in one statement. */
export async function addRunEvents(
  db: RawDb,
  types: readonly string[],
  organizationId = "org_one",
): Promise<{ runId: string; eventIds: string[] }> {
  const runId = ids.make("run");
  const run = {
    id: runId,
    flow_id: "flow_one",
    version: "20260101.1",
    status: "EXECUTING",
    trigger_source: "api",
    tags: [],
    is_test: false,
    attempt: 1,
  };
  await db.query(
    `INSERT INTO event_batches (organization_id, created_at, run_events)
     SELECT $1, millrace_now(), array_agg(run_event_of(r, t.type, t.seq::integer, NULL) ORDER BY t.seq)
       FROM jsonb_populate_record(NULL::runs, $2) AS r CROSS JOIN unnest($3::text[]) WITH ORDINALITY AS t(type, seq)`,
    [organizationId, run, types],
  );
  return {
    runId,
    eventIds: types.map((_, at) => `evt_${runId.slice(4)}${String(at + 1).padStart(6, "0")}`),
  };
}

export interface DeliveryOptions {
  readonly retryDelaysMs?: readonly number[];
  readonly disableAfterMs?: number;
  readonly totalMs?: number;
  readonly connectMs?: number;
  readonly slots?: number;
  readonly allow?: readonly string[];
}

/** The delivering half of a process, with waits that a test can sit through. */
export function startDelivery(db: RawDb, options: DeliveryOptions = {}) {
  const sender = createEventSender({
    guard: createAddressGuard({ allow: options.allow ?? ["127.0.0.0/8"] }),
    totalMs: options.totalMs,
    connectMs: options.connectMs,
  });
  const delivery = new EventDelivery(
    {
      db,
      processId: randomUUID(),
      sender,
      slots: new SendSlots(options.slots ?? 64),
      secrets,
      ids,
      resumeUrl: (organizationId, runId, nodeKey) =>
        `https://web.example/${organizationId}/${runId}/${nodeKey}`,
      nowMs: () => Date.now(),
      retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
      disableAfterMs: options.disableAfterMs ?? 5 * 86_400_000,
    },
    (error) => {
      throw error;
    },
  );
  const stopped = new AbortController();
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await delivery.begin();
      await sleep(20);
    }
  })();
  return {
    stop: async () => {
      stopped.abort();
      await loop;
      await delivery.stop();
      await sender.close();
    },
  };
}

export async function listen(server: Server, port = 0, address = "127.0.0.1"): Promise<string> {
  server.listen(port, address);
  await once(server, "listening");
  return `http://${address}:${(server.address() as AddressInfo).port}`;
}

export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

/** Waits for a condition that something outside brings about. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 110_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error("what was waited for did not happen");
    await sleep(20);
  }
}
