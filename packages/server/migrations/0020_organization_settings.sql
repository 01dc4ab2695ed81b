-- What `apply` may also change of an organization, at its commit.
ALTER TABLE organization_changes
  ADD COLUMN values_hidden boolean,
  ADD COLUMN audit_days integer CHECK (audit_days >= 1);
