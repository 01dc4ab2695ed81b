-- Trigger: a run ended badly, and its version names a flow to start for that. A run that was itself started so starts nothing more.
CREATE OR REPLACE FUNCTION note_failure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO run_failures (organization_id, run_id, flow_id, noted_at, next_at)
  SELECT NEW.organization_id, NEW.id, v.settings->>'onFailure', millrace_now(), millrace_now() FROM flow_versions v
   WHERE v.organization_id = NEW.organization_id AND v.flow_id = NEW.flow_id AND v.version = NEW.version
     AND v.settings->>'onFailure' IS NOT NULL AND v.settings->>'onFailure' <> NEW.flow_id
     AND NOT EXISTS (SELECT FROM idempotency_keys k
                      WHERE k.organization_id = NEW.organization_id AND k.run_id = NEW.id AND k.scope LIKE 'failure:%')
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
