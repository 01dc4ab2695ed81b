import type { EventEndpointDocument } from "@millrace/contract/documents/event-endpoint";
import { makeSigningSecret } from "../../domain/events/signature.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import type { Outcome } from "../../storage/catalogue/outcome.ts";
import { putEventEndpoint } from "../../storage/catalogue/put-event-endpoint.ts";
import type { ApplyContext } from "./apply-context.ts";

export async function putEventEndpointDocument(
  { db, secrets }: ApplyContext,
  { organizationId, id, url, events }: EventEndpointDocument,
): Promise<Outcome> {
  const place = secretPlace(organizationId, "event-endpoint", id);
  const secretCiphertext = secrets.seal(place, makeSigningSecret());
  return putEventEndpoint(db, { organizationId, id, url, events, secretCiphertext });
}
