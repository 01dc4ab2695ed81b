import { organizationQuery, runChange } from "@millrace/contract/manage/run-stream";
import { watchOrganization } from "../../../operations/runs/watch-organization.ts";
import { headerText } from "../../errors.ts";
import { OrganizationStream } from "../../organization-stream.ts";
import { type ContextOf, defineRoute } from "../../route.ts";
import type { EventStreams } from "../../sse.ts";

/** Then the reader comes back, and its key is looked at again. */
const MAX_OPEN_MS = 300_000;

export const streamRunsRoute = (
  context: ContextOf<typeof watchOrganization>,
  streams: EventStreams,
  maxOpenMs = MAX_OPEN_MS,
) =>
  defineRoute({
    method: "GET",
    path: "/manage/runs/stream",
    name: "streamRuns",
    summary: "Follow all runs of an organization as Server-Sent Events",
    tag: "Manage",
    access: "key",
    role: "viewer",
    stream: true,
    events: runChange,
    query: organizationQuery,
    headers: {
      "Last-Event-ID":
        "the id of the last event that was seen; what followed is sent, or an event `reset` where it is not known any more: then read the lists again",
    },
    answers: {
      200: {
        description:
          "Messages {runId, flowId, status, updatedAt}: each run that has changed, as it is now. Changes of a quarter of a second come together",
      },
    },
    errors: ["invalid_query", "organization_access_denied"],
    async handle({ principal, query, raw, reply }) {
      let stream: OrganizationStream | undefined;
      const onNews = () => stream?.onNews();
      const { feed, leave } = await watchOrganization(context, principal, query.organizationId, onNews);
      try {
        const events = streams.open(reply);
        stream = new OrganizationStream(events, feed, headerText(raw, "last-event-id"));
        const ending = setTimeout(() => events.end(), maxOpenMs).unref();
        events.onClose(() => {
          clearTimeout(ending);
          leave();
        });
      } catch (error) {
        leave();
        throw error;
      }
      return undefined;
    },
  });
