/** How long a session lives without a request, and in all. */
const SESSION_IDLE = `interval '12 hours'`;
export const SESSION_LIFE = `interval '7 days'`;

/** Of console_sessions `s`: when it ends if nothing more comes. */
export const SESSION_END = `least(s.expires_at, s.last_seen_at + ${SESSION_IDLE})`;

/** Of console_sessions `s` and, where it was made with a key, api_keys `k`. */
export const SESSION_LIVES = `s.ended_at IS NULL AND ${SESSION_END} > millrace_now()
        AND (s.key_id IS NULL OR (k.expires_at > millrace_now() AND (k.revoked_at IS NULL OR k.revoked_at > millrace_now())))`;
