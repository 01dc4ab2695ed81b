import { makeSigningSecret } from "../../domain/events/signature.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import type { EndpointRecord } from "../../storage/events/endpoint-record.ts";
import {
  findEndpointSecrets,
  rotateEndpointSecret,
  type SealedSecrets,
} from "../../storage/events/endpoint-secrets.ts";
import { listEndpoints } from "../../storage/events/list-endpoints.ts";
import type { Pool } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";

export interface EndpointServices {
  readonly pool: Pool;
  readonly secrets: SecretBox;
}

export const DEFAULT_OVERLAP_MS = 86_400_000;

/** The endpoint of this name; where several organizations have one, the caller has to say which. */
export async function findEndpoint(
  { pool }: Pick<EndpointServices, "pool">,
  id: string,
  organizationId: string | undefined,
): Promise<EndpointRecord> {
  const [endpoint, ...others] = await listEndpoints(pool, { id, organizationId });
  if (!endpoint) throw new Error(`There is no event endpoint "${id}"; see: millrace events endpoints list`);
  if (others.length > 0)
    throw new Error(`Several organizations have an endpoint "${id}"; say which with --org.`);
  return endpoint;
}

export interface SigningSecret {
  readonly secret: string;
  /** Until then the secret before it signs, too. */
  readonly previousUntil: Date | null;
}

export async function showSecret(
  services: EndpointServices,
  endpoint: EndpointRecord,
): Promise<SigningSecret> {
  const sealed = await findEndpointSecrets(services.pool, endpoint);
  if (!sealed) throw new Error(`The event endpoint "${endpoint.id}" was just deleted.`);
  return opened(services, endpoint, sealed);
}

export async function rotateSecret(
  services: EndpointServices,
  endpoint: EndpointRecord,
  { overlapMs, force }: { overlapMs: number; force: boolean },
): Promise<SigningSecret> {
  const place = secretPlace(endpoint.organizationId, "event-endpoint", endpoint.id);
  const secretCiphertext = services.secrets.seal(place, makeSigningSecret());
  const sealed = await rotateEndpointSecret(services.pool, endpoint, { secretCiphertext, overlapMs, force });
  if (!sealed) {
    throw new Error(
      "The secret before the current one is still valid; receivers may not have the current one yet. Wait for its end, or use --force.",
    );
  }
  return opened(services, endpoint, sealed);
}

function opened(
  { secrets }: EndpointServices,
  { organizationId, id }: EndpointRecord,
  { secretCiphertext, previousSecretUntil }: SealedSecrets,
): SigningSecret {
  const place = secretPlace(organizationId, "event-endpoint", id);
  return { secret: secrets.open(place, secretCiphertext), previousUntil: previousSecretUntil };
}
