-- Who is signed in to the console. Only hashes of what a browser holds are kept.
CREATE TABLE sign_in_links (
  hash       bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  user_id    text NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at    timestamptz
);

CREATE TABLE console_sessions (
  id           text COLLATE "C" PRIMARY KEY,
  hash         bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  user_id      text NOT NULL REFERENCES users ON DELETE CASCADE,
  method       text NOT NULL CHECK (method IN ('link', 'key', 'oidc')),
  -- The key it was made with: it reaches what the key reaches, and ends with it.
  key_id       text REFERENCES api_keys ON DELETE CASCADE,
  address      text,
  user_agent   text,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  -- Whatever happens, it ends then; without a request it ends earlier.
  expires_at   timestamptz NOT NULL,
  ended_at     timestamptz,
  CONSTRAINT only_keys_name_one CHECK ((method = 'key') = (key_id IS NOT NULL))
);
CREATE INDEX console_sessions_by_user ON console_sessions (user_id, created_at DESC, id DESC);
