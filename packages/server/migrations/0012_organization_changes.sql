-- What `apply` changes of an organization that exists, done at its commit: whoever starts a run locks the organization's row,
-- so nobody may hold it while he does the rest of his work. Empty outside of transactions.
CREATE TABLE organization_changes (
  organization_id     text PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  name                text NOT NULL,
  suspended           boolean,
  concurrency_limit   integer,
  queue_limit         integer,
  requests_per_minute integer,
  credits_limited     boolean
);
-- The function's true text is in sql/.
CREATE FUNCTION change_organization() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE CONSTRAINT TRIGGER organizations_change_at_commit AFTER INSERT ON organization_changes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_organization();
