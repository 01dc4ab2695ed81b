import type { Actor } from "../../domain/actor.ts";
import { makeSigningSecret } from "../../domain/events/signature.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import type { EndpointRecord } from "../../storage/events/endpoint-record.ts";
import {
  findEndpointSecrets,
  rotateEndpointSecret,
  type SealedSecrets,
} from "../../storage/events/endpoint-secrets.ts";
import { listEndpoints } from "../../storage/events/list-endpoints.ts";
import { switchEndpoint as storeSwitch } from "../../storage/events/switch-endpoint.ts";
import { type Pool, transaction } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import { recordAudit } from "../audit/record-audit.ts";

export interface EndpointServices {
  readonly pool: Pool;
  readonly secrets: SecretBox;
}

interface EndpointName {
  readonly organizationId: string;
  readonly id: string;
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

export async function showSecret(services: EndpointServices, endpoint: EndpointName): Promise<SigningSecret> {
  const sealed = await findEndpointSecrets(services.pool, endpoint);
  if (!sealed) throw new Error(`The event endpoint "${endpoint.id}" was just deleted.`);
  return opened(services, endpoint, sealed);
}

export async function rotateSecret(
  services: EndpointServices & { readonly ids: IdMaker },
  actor: Actor,
  endpoint: EndpointName,
  { overlapMs, force }: { overlapMs: number; force: boolean },
): Promise<SigningSecret | undefined> {
  const { organizationId, id } = endpoint;
  const place = secretPlace(organizationId, "event-endpoint", id);
  const secretCiphertext = services.secrets.seal(place, makeSigningSecret());
  return transaction(services.pool, async (db) => {
    const sealed = await rotateEndpointSecret(db, endpoint, { secretCiphertext, overlapMs, force });
    if (!sealed) return undefined;
    const after = { previousUntil: sealed.previousSecretUntil };
    const change = { organizationId, action: "event-endpoint.rotate-secret", target: id, after };
    await recordAudit({ db, ids: services.ids }, actor, change);
    return opened(services, endpoint, sealed);
  });
}

/** One that is enabled again begins with what happens from now on. */
export async function switchEndpoint(
  { pool, ids }: { readonly pool: Pool; readonly ids: IdMaker },
  actor: Actor,
  endpoint: EndpointName,
  enabled: boolean,
): Promise<void> {
  const { organizationId, id } = endpoint;
  await transaction(pool, async (db) => {
    if (!(await storeSwitch(db, endpoint, enabled))) return;
    const action = enabled ? "event-endpoint.enable" : "event-endpoint.disable";
    await recordAudit({ db, ids }, actor, { organizationId, action, target: id });
  });
}

function opened(
  { secrets }: EndpointServices,
  { organizationId, id }: EndpointName,
  { secretCiphertext, previousSecretUntil }: SealedSecrets,
): SigningSecret {
  const place = secretPlace(organizationId, "event-endpoint", id);
  return { secret: secrets.open(place, secretCiphertext), previousUntil: previousSecretUntil };
}
