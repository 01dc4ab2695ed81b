import { randomBytes } from "node:crypto";
import type { EventEndpointDocument } from "@millrace/contract/documents/event-endpoint.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import type { Outcome } from "../../storage/catalogue/outcome.ts";
import { putEventEndpoint } from "../../storage/catalogue/put-event-endpoint.ts";
import type { ApplyContext } from "./apply-context.ts";

const SECRET_BYTES = 32;

export async function putEventEndpointDocument(
  { db, secrets }: ApplyContext,
  { organizationId, id, url, events }: EventEndpointDocument,
): Promise<Outcome> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  const secretCiphertext = secrets.seal(secretPlace(organizationId, "event-endpoint", id), secret);
  return putEventEndpoint(db, { organizationId, id, url, events, secretCiphertext });
}
