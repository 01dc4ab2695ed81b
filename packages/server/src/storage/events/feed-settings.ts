import { orNull, text, texts } from "../columns.ts";
import type { RowOf } from "../statement.ts";

/** What a delivery has to know about its endpoint, of `event_endpoints e`. */
export const FEED_SETTINGS = {
  select: `e.url, e.events AS patterns, e.secret_ciphertext AS "secretCiphertext",
  CASE WHEN e.previous_secret_until > millrace_now() THEN e.previous_secret_ciphertext END AS "previousSecretCiphertext"`,
  columns: {
    url: text,
    patterns: texts,
    secretCiphertext: text,
    /** While a secret rotates. */
    previousSecretCiphertext: orNull(text),
  },
};

export type FeedSettings = RowOf<typeof FEED_SETTINGS.columns>;

/**
 * A condition that is always true, and makes the statement's commit not wait for the disk. Whatever of a delivery is lost with the last moments of the
 * database is only sent again, and the engine's commits need not share the disk with it.
 */
export const LAZILY = `set_config('synchronous_commit', 'off', true) = 'off'`;

/** How long a process may be silent before another takes its feeds. */
export const LEASE = `interval '10 seconds'`;
