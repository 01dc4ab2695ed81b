import { integer, oneOf, orNull, text, timestamp } from "../columns.ts";

/** What is told of a delivery `d`, whoever asks. */
export const DELIVERY = {
  select: `d.endpoint_id AS "endpointId", d.state, d.attempts, d.next_at AS "nextAt", d.last_at AS "lastAt",
            d.last_status AS "lastStatus", d.last_failure AS "lastFailure", d.last_ms AS "lastMs"`,
  columns: {
    endpointId: text,
    state: oneOf("delivered", "retrying", "failed"),
    attempts: integer,
    nextAt: orNull(timestamp),
    lastAt: orNull(timestamp),
    lastStatus: orNull(integer),
    lastFailure: orNull(text),
    lastMs: orNull(integer),
  },
};
