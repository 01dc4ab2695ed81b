-- Changes in the name of whoever brings an access token of the OpenID Connect provider.
ALTER TABLE audit_entries
  DROP CONSTRAINT audit_entries_via_check,
  ADD CONSTRAINT audit_entries_via_check CHECK (via IN ('key', 'session', 'token', 'link', 'cli', 'service'));
