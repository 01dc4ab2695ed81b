import type { DeliveriesQuery, ResendBody } from "@millrace/contract/manage/event-endpoints";
import type { Actor } from "../../domain/actor.ts";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { idTimeMs } from "../../domain/ids.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  type EndpointDelivery,
  listEndpointDeliveries,
} from "../../storage/events/list-endpoint-deliveries.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { type EndpointContext, endpointOf } from "./managed-endpoints.ts";
import { replayRange } from "./replay.ts";

export type { EndpointDelivery };

const MINUTE_MS = 60_000;

/** What was sent to an endpoint and what became of it, newest event first. */
export async function listDeliveries(
  context: EndpointContext,
  principal: Principal,
  endpointId: string,
  query: DeliveriesQuery,
): Promise<Page<EndpointDelivery>> {
  const { organizationId } = await endpointOf(context, principal, endpointId, query, "viewer");
  const page = toPageRequest("deliveries", query);
  const filter = { organizationId, endpointId, state: query["filter[state]"] };
  return toPage(page, await listEndpointDeliveries(context.pool, filter, page));
}

/** Sends one event, or those of a time, to an endpoint again. Noted first: it goes in pages, and each of them counts. */
export async function resendDeliveries(
  context: EndpointContext,
  principal: Principal,
  actor: Actor,
  { endpointId, ...asked }: { readonly endpointId: string; readonly organizationId?: string | undefined },
  { eventId, since, until, onlyFailed }: ResendBody,
): Promise<number> {
  const { organizationId } = await endpointOf(context, principal, endpointId, asked, "member");
  if (eventId === undefined && since === undefined) {
    const message = "is required, or a range of time that begins with `since`";
    throw new Refusal("invalid_request_body", { issues: [{ path: ["eventId"], message }] });
  }
  const range =
    eventId === undefined
      ? { since: new Date(since!), until: until === undefined ? context.now() : new Date(until) }
      : { eventId, since: new Date(idTimeMs(eventId) - MINUTE_MS), until: context.now() };
  await recordAudit({ db: context.pool, ids: context.ids }, actor, {
    organizationId,
    action: "delivery.resend",
    target: endpointId,
    after: { ...range, onlyFailed },
  });
  return replayRange(context.pool, { organizationId, endpointId, ...range, onlyFailed });
}
