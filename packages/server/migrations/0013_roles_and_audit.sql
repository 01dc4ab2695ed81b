-- A key's own role: it can do what both its holder and this role may. Keys that exist were made to call /api, where nothing
-- needs more than `member`, so they go on as they are and cannot manage anything.
ALTER TABLE api_keys
  ADD COLUMN role text NOT NULL DEFAULT 'member' CHECK (role IN ('owner', 'admin', 'member', 'viewer'));

ALTER TABLE organizations
  -- Viewers see structure, times and statuses of runs, never inputs, outputs or messages.
  ADD COLUMN values_hidden boolean NOT NULL DEFAULT false,
  ADD COLUMN audit_days integer NOT NULL DEFAULT 400 CHECK (audit_days >= 1);

-- Who changed what, and through which door. It outlives what it speaks of, so it refers to nothing.
CREATE TABLE audit_entries (
  organization_id text NOT NULL,
  id              text COLLATE "C" NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  -- NULL where nobody signed in: a command beside the database, the service itself.
  user_id         text,
  via             text NOT NULL CHECK (via IN ('key', 'session', 'link', 'cli', 'service')),
  -- The key, the session, or the account of the machine that ran the command.
  via_id          text,
  address         text,
  action          text NOT NULL,
  target          text NOT NULL,
  before          json,
  after           json,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_entries_newest_first ON audit_entries (organization_id, created_at DESC, id DESC);

-- The function's true text is in sql/.
CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END';
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
CREATE TRIGGER audit_entries_not_emptied BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entry();
