import { RETRY_DELAYS_MS } from "../domain/events/retry-schedule.ts";
import { deliverEvents, forgetEvents } from "../engine/duties/deliver-events.ts";
import type { Engine } from "../engine/engine.ts";
import type { Route } from "../http/route.ts";
import { receiveWebhookRoute } from "../http/routes/receive-webhook.ts";
import { EventDelivery } from "../operations/events/event-delivery.ts";
import { SendSlots } from "../operations/events/send-slots.ts";
import type { EndWaits } from "../operations/runs/end-waits.ts";
import type { ResumeLinks } from "../operations/runs/resume-links.ts";
import type { StartContext } from "../operations/runs/start-run.ts";
import { WebhookGates } from "../operations/webhooks/webhook-gates.ts";
import { createAddressGuard } from "../upstream/address-guard.ts";
import { createEventSender } from "../upstream/event-sender.ts";
import type { Foundation } from "./foundation.ts";

const MAX_REQUESTS_UNDER_WAY = 64;
const DISABLE_AFTER_MS = 5 * 86_400_000;
// Changes come in bursts; one look a little later sees them all.
const WAKE_AFTER_CHANGE_MS = 100;

/** The way in: one address per flow. */
export function composeWebhookRoutes(start: StartContext, waits: EndWaits): Route[] {
  return [receiveWebhookRoute(new WebhookGates(start.db), start, waits)];
}

/** The way out: whoever works also tells. */
export function startEventDelivery(foundation: Foundation, engine: Engine, links: ResumeLinks): void {
  const { config, pools, secrets, ids, clock, logger, changes, shutdown, startDuty, metrics } = foundation;
  const sender = createEventSender({ guard: createAddressGuard({ allow: config.egressAllow }) });
  shutdown.add("event sender", () => sender.close());
  const delivery = new EventDelivery(
    {
      db: pools.engine,
      processId: engine.process.id,
      sender,
      slots: new SendSlots(MAX_REQUESTS_UNDER_WAY),
      secrets,
      ids,
      resumeUrl: (organizationId, runId, nodeKey) => links.make(organizationId, runId, nodeKey),
      nowMs: () => clock.nowMs(),
      retryDelaysMs: RETRY_DELAYS_MS,
      disableAfterMs: DISABLE_AFTER_MS,
      onAttempt: (outcome) => metrics.deliveries.inc({ outcome }),
    },
    (error, { organizationId, endpointId }) =>
      logger.warn(
        { err: error, organizationId, endpointId },
        "events could not be delivered; they are tried again",
      ),
  );
  shutdown.add("event deliveries", () => delivery.stop());

  let timer: NodeJS.Timeout | undefined;
  let wakeAtMs = Infinity;
  const wakeIn = (ms: number) => {
    if (performance.now() + ms >= wakeAtMs) return;
    wakeAtMs = performance.now() + ms;
    clearTimeout(timer);
    timer = setTimeout(() => {
      wakeAtMs = Infinity;
      duty.wake();
    }, ms);
  };
  const duty = startDuty(deliverEvents(delivery, wakeIn));
  shutdown.add("event wake-ups", () => clearTimeout(timer));
  changes.onChanged(() => {
    if (delivery.listening) wakeIn(WAKE_AFTER_CHANGE_MS);
  });
  startDuty(forgetEvents(pools.engine));
}
