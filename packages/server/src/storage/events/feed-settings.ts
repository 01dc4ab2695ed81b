/** What a delivery has to know about its endpoint, of `event_endpoints e`. */
export const FEED_SETTINGS = `e.url, e.events AS patterns, e.secret_ciphertext AS "secretCiphertext",
  CASE WHEN e.previous_secret_until > millrace_now() THEN e.previous_secret_ciphertext END AS "previousSecretCiphertext"`;

export interface FeedSettings {
  readonly url: string;
  readonly patterns: readonly string[];
  readonly secretCiphertext: string;
  /** While a secret rotates. */
  readonly previousSecretCiphertext: string | null;
}

/** How long a process may be silent before another takes its feeds. */
export const LEASE = `interval '10 seconds'`;
