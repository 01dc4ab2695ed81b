-- Organizations, people, keys, and what the design application publishes.
-- Keys begin with the organization, so that the schema can later be spread over several servers by it;
-- users and api_keys are the exception, because they are found before the organization is known.
-- timestamptz(3) where a cursor carries the time in milliseconds.

CREATE TABLE organizations (
  id                  text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  name                text NOT NULL,
  suspended           boolean NOT NULL DEFAULT false,
  concurrency_limit   integer NOT NULL DEFAULT 10 CHECK (concurrency_limit >= 0),
  queue_limit         integer NOT NULL DEFAULT 10000 CHECK (queue_limit >= 0),
  requests_per_minute integer CHECK (requests_per_minute >= 0),
  -- Unlimited organizations have no ledger to run out of.
  credits_limited     boolean NOT NULL DEFAULT false,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id         text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  email      text NOT NULL,
  name       text NOT NULL,
  disabled   boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE memberships (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id         text NOT NULL REFERENCES users ON DELETE CASCADE,
  role            text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);

CREATE TABLE api_keys (
  id              text PRIMARY KEY CHECK (id ~ '^key_[0-9A-Za-z]{20,}$'),
  hash            bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  scope           text NOT NULL CHECK (scope IN ('org', 'user')),
  organization_id text REFERENCES organizations ON DELETE CASCADE,
  user_id         text NOT NULL REFERENCES users ON DELETE CASCADE,
  name            text NOT NULL,
  -- Enough of the key to recognise it in a list: `mr_org_Ab12…wxyz`.
  hint            text NOT NULL,
  expires_at      timestamptz NOT NULL,
  revoked_at      timestamptz,
  rotated_to      text,
  last_used_at    timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT organization_keys_name_one CHECK ((scope = 'org') = (organization_id IS NOT NULL))
);

CREATE TABLE flows (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              text NOT NULL UNIQUE CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  name            text NOT NULL,
  slug            text,
  active          boolean NOT NULL DEFAULT true,
  version         text NOT NULL CHECK (version ~ '^[0-9]{8}\.[0-9]+$'),
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz,
  deleted_at      timestamptz,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX flows_newest_first ON flows (organization_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE flow_versions (
  organization_id text NOT NULL,
  flow_id         text NOT NULL,
  version         text NOT NULL,
  -- Of the executable part alone; dragging a node on the canvas changes the graph but not the hash.
  hash            text NOT NULL,
  graph           jsonb NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, flow_id, version),
  FOREIGN KEY (organization_id, flow_id) REFERENCES flows ON DELETE CASCADE
);

CREATE TABLE flow_webhooks (
  organization_id  text NOT NULL,
  flow_id          text NOT NULL,
  token_hash       bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  token_ciphertext text NOT NULL,
  enabled          boolean NOT NULL DEFAULT true,
  created_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, flow_id),
  FOREIGN KEY (organization_id, flow_id) REFERENCES flows ON DELETE CASCADE
);

CREATE TABLE flow_schedules (
  organization_id text NOT NULL,
  flow_id         text NOT NULL,
  id              text NOT NULL,
  cron            text NOT NULL,
  timezone        text NOT NULL,
  data            jsonb NOT NULL DEFAULT '{}',
  next_at         timestamptz,
  PRIMARY KEY (organization_id, flow_id, id),
  FOREIGN KEY (organization_id, flow_id) REFERENCES flows ON DELETE CASCADE
);
CREATE INDEX flow_schedules_due ON flow_schedules (next_at);

CREATE TABLE credentials (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              text NOT NULL CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  type            text NOT NULL,
  allowed_hosts   text[] NOT NULL DEFAULT '{}',
  ciphertext      text NOT NULL,
  -- Tells whether an applied secret is the stored one without decrypting it: HMAC under the secret key.
  fingerprint     text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz,
  PRIMARY KEY (organization_id, id)
);

CREATE TABLE agents (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              text NOT NULL UNIQUE CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  name            text NOT NULL,
  slug            text,
  active          boolean NOT NULL DEFAULT true,
  model_ids       text[] NOT NULL DEFAULT '{}',
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz,
  deleted_at      timestamptz,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX agents_newest_first ON agents (organization_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- Apart from `agents`, so that no query of the discovery endpoints can reach a design setting.
CREATE TABLE agent_designs (
  organization_id text NOT NULL,
  agent_id        text NOT NULL,
  design          jsonb NOT NULL,
  PRIMARY KEY (organization_id, agent_id),
  FOREIGN KEY (organization_id, agent_id) REFERENCES agents ON DELETE CASCADE
);

CREATE TABLE event_endpoints (
  organization_id   text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id                text NOT NULL CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  url               text NOT NULL,
  events            text[] NOT NULL,
  enabled           boolean NOT NULL DEFAULT true,
  secret_ciphertext text NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now(),
  updated_at        timestamptz,
  PRIMARY KEY (organization_id, id)
);

-- Append only. The balance is the sum; nothing else remembers it. Entries of runs that ended a while ago are
-- added up into one `carry` entry, so that the sum stays short.
CREATE TABLE credit_entries (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('opening', 'grant', 'reserve', 'settle', 'carry')),
  amount          bigint NOT NULL,
  run_id          text COLLATE "C",
  note            text,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT run_entries_name_their_run CHECK ((kind IN ('reserve', 'settle')) = (run_id IS NOT NULL))
);
-- A run reserves once and is settled once, whatever is retried.
CREATE UNIQUE INDEX credit_entries_once_a_run ON credit_entries (organization_id, run_id, kind) WHERE run_id IS NOT NULL;

-- How much of each rate-limit window is used. Unlogged: after a crash of the database the windows start anew.
CREATE UNLOGGED TABLE rate_windows (
  key        text NOT NULL,
  started_at bigint NOT NULL,
  used       integer NOT NULL,
  PRIMARY KEY (key, started_at)
);
