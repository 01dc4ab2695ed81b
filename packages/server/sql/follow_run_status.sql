-- Trigger: the tags of a run are found by its status too.
CREATE OR REPLACE FUNCTION follow_run_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE run_tags SET status = NEW.status
   WHERE organization_id = NEW.organization_id AND tag = ANY(NEW.tags) AND status = OLD.status AND run_id = NEW.id;
  RETURN NULL;
END $$;
