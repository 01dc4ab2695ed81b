-- Plain values of an organization that expressions read as `vars.<name>`. Every change is a version of all of them, and each run
-- keeps the version it was made with.
CREATE TABLE organization_variables (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  version         integer NOT NULL CHECK (version >= 1),
  "values"        json NOT NULL,
  author          text,
  note            text,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, version)
);
ALTER TABLE organizations ADD COLUMN variables_version integer;
ALTER TABLE runs ADD COLUMN variables_version integer;
-- At the commit, as everything that is changed of an organization: whoever starts a run locks its row.
-- The function's true text is in sql/.
CREATE FUNCTION put_variables_in_force() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE CONSTRAINT TRIGGER organization_variables_in_force AFTER INSERT ON organization_variables
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION put_variables_in_force();
