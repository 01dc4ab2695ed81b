import { type EventKind, eventKinds } from "@millrace/contract/event-kinds";
import { outgoingEvents } from "@millrace/contract/events";
import type { Sliced } from "../../domain/sliced.ts";
import type { Components } from "./components.ts";

const WHAT: Record<EventKind, string> = {
  "run.created": "A run was stored",
  "run.started": "A run executes",
  "run.retrying": "A run failed and is tried again",
  "run.paused": "A run waits for an answer, a time or another run",
  "run.resumed": "A run that waited goes on",
  "run.completed": "A run has completed",
  "run.failed": "A run has failed",
  "run.canceled": "A run was canceled",
  "run.crashed": "A run was lost with its workers",
  "run.timed_out": "A run took longer than it may",
  "queue.item_created": "A run waits for a free slot",
  "queue.item_dispatched": "A run left the queue and has its slot",
  "queue.item_canceled": "A run was canceled while it was queued",
  "agent.session_created": "A chat has begun",
  "agent.message_completed": "A reply is complete",
  "agent.message_failed": "A reply has failed",
  "endpoint.test": "Somebody tests the endpoint",
  "endpoint.disabled": "Another endpoint of the organization was disabled",
};

const HEADERS = {
  "webhook-id": "id of the event, the same for every attempt: keep those you have seen",
  "webhook-timestamp": "when this attempt was signed, in Unix seconds",
  "webhook-signature": "v1,<Base64 of HMAC-SHA256 over id.timestamp.body>, several separated by spaces",
};

/** What the service sends to event endpoints, by Standard Webhooks 1.0. */
export function* outgoingWebhooks(components: Components): Sliced<object> {
  const schemas = Object.values(outgoingEvents);
  const webhooks: Record<string, object> = {};
  for (const kind of eventKinds) {
    const schema = schemas.find(({ shape }) => (shape.type.options as readonly string[]).includes(kind))!;
    const post = {
      operationId: operationName(kind),
      summary: WHAT[kind],
      description: `${WHAT[kind]}. Sent to event endpoints that ask for \`${kind}\`, signed, at least once.`,
      tags: ["Events"],
      security: [],
      parameters: Object.entries(HEADERS).map(([name, description]) => ({
        name,
        in: "header",
        required: true,
        description,
        schema: { type: "string" },
      })),
      requestBody: { required: true, content: { "application/json": { schema: components.of(schema) } } },
      responses: {
        "204": { description: "Any 2xx within 15 seconds: the event has arrived" },
        "410": { description: "The endpoint is gone, and is disabled" },
      },
    };
    webhooks[kind] = { post };
    yield;
  }
  return webhooks;
}

/** `run.timed_out` → `onRunTimedOut` */
function operationName(kind: string): string {
  return `on.${kind}`.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
}
