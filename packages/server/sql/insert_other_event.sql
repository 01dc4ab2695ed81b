-- Trigger: events that are not of runs are rare; they are written one by one through the view.
CREATE OR REPLACE FUNCTION insert_other_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_batches (organization_id, created_at, other_id, other_type, other_data)
  VALUES (NEW.organization_id, NEW.created_at, NEW.id, NEW.type, NEW.data);
  RETURN NEW;
END $$;
