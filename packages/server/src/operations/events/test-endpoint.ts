import { eventBody } from "../../domain/events/event-body.ts";
import { signatureHeaders } from "../../domain/events/signature.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { EndpointRecord } from "../../storage/events/endpoint-record.ts";
import { findEndpointSecrets } from "../../storage/events/endpoint-secrets.ts";
import type { EventSender, SendResult } from "../../upstream/event-sender.ts";
import type { EndpointServices } from "./manage-endpoint.ts";
import { openSigningSecrets } from "./signing-secrets.ts";

export interface TestResult extends SendResult {
  readonly eventId: string;
}

/** Sends one event to show whether it arrives; it is kept nowhere and counts for nothing. */
export async function testEndpoint(
  {
    pool,
    secrets,
    sender,
    ids,
    now,
  }: EndpointServices & { sender: EventSender; ids: IdMaker; now: () => Date },
  { organizationId, id: endpointId, url }: EndpointRecord,
): Promise<TestResult> {
  const sealed = await findEndpointSecrets(pool, { organizationId, id: endpointId });
  if (!sealed) throw new Error(`The event endpoint "${endpointId}" was just deleted.`);
  const event = {
    id: ids.make("evt"),
    type: "endpoint.test",
    runId: null,
    at: now(),
    data: { endpoint: { id: endpointId }, message: "This is a test. Nothing has happened." },
  };
  const body = eventBody(organizationId, event, () => "");
  const signing = openSigningSecrets(secrets, { organizationId, endpointId }, sealed);
  const timestampSeconds = Math.floor(event.at.getTime() / 1000);
  const headers = signatureHeaders(signing, { id: event.id, timestampSeconds, body });
  return { eventId: event.id, ...(await sender.send({ organizationId, url, headers, body })) };
}
