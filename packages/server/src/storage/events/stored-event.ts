import type { StoredEvent } from "../../domain/events/stored-event.ts";
import { assumed, json, orNull, text, timestamp } from "../columns.ts";

/** Of the view `events v`. */
export const STORED_EVENT = {
  select: `v.id, v.type, v.run_id AS "runId", v.data, v.created_at AS at`,
  columns: {
    id: assumed(text),
    type: assumed(text),
    runId: orNull(text),
    data: assumed(json<StoredEvent["data"]>()),
    at: timestamp,
  },
};
