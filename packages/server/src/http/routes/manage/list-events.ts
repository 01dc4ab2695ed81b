import { eventsAnswer, eventsQuery, type ManagedEvent } from "@millrace/contract/manage/events";
import { type ListedEvent, listManagedEvents } from "../../../operations/events/managed-events.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listEventsRoute = (context: ContextOf<typeof listManagedEvents>) =>
  defineRoute({
    method: "GET",
    path: "/manage/events",
    name: "listEvents",
    summary: "List events of an organization, newest first; a page may be short and yet have a next one",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: eventsQuery,
    answers: { 200: { description: "A page of events", schema: eventsAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      return { status: 200, body: presentPage(await listManagedEvents(context, principal, query), present) };
    },
  });

function present({
  id,
  type,
  runId,
  at,
  organizationId,
}: ListedEvent & { readonly organizationId: string }): ManagedEvent {
  return { id, type, organizationId, ...(runId !== null && { runId }), at: at.toISOString() };
}
