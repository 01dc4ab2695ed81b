import type { EndpointsQuery, PutEndpointBody } from "@millrace/contract/manage/event-endpoints";
import type { Actor } from "../../domain/actor.ts";
import { type Page, toPageRequest } from "../../domain/cursor.ts";
import { makeSigningSecret } from "../../domain/events/signature.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { pageById } from "../../domain/page-by-id.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/role.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import { deleteEventEndpoint } from "../../storage/catalogue/delete-event-endpoint.ts";
import { putEventEndpoint } from "../../storage/catalogue/put-event-endpoint.ts";
import type { EndpointRecord } from "../../storage/events/endpoint-record.ts";
import { listEndpoints as readEndpoints } from "../../storage/events/list-endpoints.ts";
import { type Pool, transaction } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import type { EventSender } from "../../upstream/event-sender.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { rotateSecret, showSecret, type SigningSecret, switchEndpoint } from "./manage-endpoint.ts";
import { testEndpoint, type TestResult } from "./test-endpoint.ts";

export type { EndpointRecord };

export interface EndpointContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
  readonly secrets: SecretBox;
  readonly sender: EventSender;
  readonly now: () => Date;
}

interface Asked {
  readonly organizationId?: string | undefined;
}

export async function listEndpoints(
  { pool }: EndpointContext,
  principal: Principal,
  query: EndpointsQuery,
): Promise<Page<EndpointRecord>> {
  const organizationId = organizationFor(principal, query.organizationId, "viewer");
  return pageById(toPageRequest("event-endpoints", query), await readEndpoints(pool, { organizationId }));
}

/** Creates an endpoint, with a secret of its own, or changes where and what it is sent. */
export async function putEndpoint(
  { pool, ids, secrets }: EndpointContext,
  principal: Principal,
  actor: Actor,
  id: string,
  { url, events, ...asked }: PutEndpointBody,
): Promise<EndpointRecord> {
  const organizationId = organizationFor(principal, asked.organizationId, "admin");
  const secretCiphertext = secrets.seal(
    secretPlace(organizationId, "event-endpoint", id),
    makeSigningSecret(),
  );
  return transaction(pool, async (db) => {
    const [before] = await readEndpoints(db, { organizationId, id });
    const outcome = await putEventEndpoint(db, { organizationId, id, url, events, secretCiphertext });
    if (outcome !== "unchanged")
      await recordAudit({ db, ids }, actor, {
        organizationId,
        action: outcome === "created" ? "event-endpoint.create" : "event-endpoint.change",
        target: id,
        before: before && { url: before.url, events: before.events },
        after: { url, events },
      });
    const [after] = await readEndpoints(db, { organizationId, id });
    return after!;
  });
}

export async function removeEndpoint(
  context: EndpointContext,
  principal: Principal,
  actor: Actor,
  id: string,
  asked: Asked,
): Promise<void> {
  const { organizationId, url, events } = await endpointOf(context, principal, id, asked, "admin");
  const { pool, ids } = context;
  await transaction(pool, async (db) => {
    await deleteEventEndpoint(db, organizationId, id);
    const before = { url, events };
    await recordAudit({ db, ids }, actor, {
      organizationId,
      action: "event-endpoint.delete",
      target: id,
      before,
    });
  });
}

export async function switchManagedEndpoint(
  context: EndpointContext,
  principal: Principal,
  actor: Actor,
  { id, enabled, ...asked }: Asked & { readonly id: string; readonly enabled: boolean },
): Promise<EndpointRecord> {
  const endpoint = await endpointOf(context, principal, id, asked, "admin");
  await switchEndpoint(context, actor, endpoint, enabled);
  return endpointOf(context, principal, id, asked, "admin");
}

export async function showManagedSecret(
  context: EndpointContext,
  principal: Principal,
  id: string,
  asked: Asked,
): Promise<SigningSecret> {
  return showSecret(context, await endpointOf(context, principal, id, asked, "admin"));
}

export async function rotateManagedSecret(
  context: EndpointContext,
  principal: Principal,
  actor: Actor,
  { id, overlapMs, force, ...asked }: Asked & { readonly id: string; overlapMs: number; force: boolean },
): Promise<SigningSecret> {
  const endpoint = await endpointOf(context, principal, id, asked, "admin");
  const rotated = await rotateSecret(context, actor, endpoint, { overlapMs, force });
  if (!rotated) throw new Refusal("secret_still_valid");
  return rotated;
}

/** Sent from here, by the rules of the service for what may be reached. */
export async function testManagedEndpoint(
  context: EndpointContext,
  principal: Principal,
  actor: Actor,
  id: string,
  asked: Asked,
): Promise<TestResult> {
  const endpoint = await endpointOf(context, principal, id, asked, "admin");
  const result = await testEndpoint(context, endpoint);
  const { delivered, status } = result;
  await recordAudit({ db: context.pool, ids: context.ids }, actor, {
    organizationId: endpoint.organizationId,
    action: "event-endpoint.test",
    target: id,
    after: { delivered, ...(status !== undefined && { status }) },
  });
  return result;
}

export async function endpointOf(
  { pool }: Pick<EndpointContext, "pool">,
  principal: Principal,
  id: string,
  asked: Asked,
  role: Role,
): Promise<EndpointRecord> {
  const organizationId = organizationFor(principal, asked.organizationId, role);
  const [endpoint] = await readEndpoints(pool, { organizationId, id });
  if (!endpoint) throw new Refusal("event_endpoint_not_found");
  return endpoint;
}
