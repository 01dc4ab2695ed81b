-- Trigger, at the commit: runs that are made from now on see this version of the variables.
CREATE OR REPLACE FUNCTION put_variables_in_force() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE organizations o SET variables_version = NEW.version, updated_at = now()
   WHERE o.id = NEW.organization_id AND (o.variables_version IS NULL OR o.variables_version < NEW.version);
  RETURN NULL;
END $$;
