-- Links that show one run to whoever has them: its structure, times and statuses, and the values of the chosen nodes.
CREATE TABLE run_shares (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              text COLLATE "C" NOT NULL UNIQUE,
  run_id          text COLLATE "C" NOT NULL,
  token_hash      bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  reveal          text[] NOT NULL,
  created_by      text NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  revoked_at      timestamptz,
  PRIMARY KEY (organization_id, run_id, id)
);
CREATE INDEX run_shares_expired ON run_shares (organization_id, expires_at);
