-- Runs that ended badly and whose flow names another one for that (`onFailure`), noted in the transaction of their end, however
-- they end. Whoever works starts that flow and takes the note away; the note's run is the key that makes it happen once.
CREATE TABLE run_failures (
  organization_id text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  -- What is to be started.
  flow_id         text NOT NULL,
  noted_at        timestamptz NOT NULL,
  next_at         timestamptz NOT NULL,
  PRIMARY KEY (organization_id, run_id)
);
CREATE INDEX run_failures_due ON run_failures (next_at);
-- The function's true text is in sql/.
CREATE FUNCTION note_failure() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER runs_note_failures AFTER UPDATE OF status ON runs FOR EACH ROW
  WHEN (NEW.status IN ('FAILED', 'CRASHED', 'TIMED_OUT') AND OLD.status <> NEW.status)
  EXECUTE FUNCTION note_failure();
