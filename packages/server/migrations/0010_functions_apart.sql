-- From here on functions live in sql/, one a file, and are replaced when their text changes. What they need of types is here.

-- A run to be made, whoever asked for it. Values are filled in by name, so a later release adds attributes at the end.
CREATE TYPE new_run AS (
  id              text,
  flow_id         text,
  version         text,
  trigger_source  text,
  tags            text[],
  is_test         boolean,
  delay_ms        bigint,
  max_attempts    integer,
  max_duration_ms bigint,
  credits         integer,
  depth           integer,
  parent_run_id   text,
  parent_node_key text,
  key_scope       text,
  key_hash        bytea,
  -- Where it begins: `delayed`, `queued`, `admitted` or `claimed`. NULL: it is not made.
  place           text
);

-- Runs of one organization that are made together. What they were given is apart, so that nobody copies it.
CREATE TYPE run_batch AS (
  organization_id text,
  -- The process that claimed ones belong to.
  process_id      uuid,
  runs            new_run[],
  -- JSON of each run, in the same order; NULL where none brings any.
  data            text[],
  inputs          text[],
  triggers        text[]
);

-- The schema enforces every move of a run, not only its end. The function's true text is in sql/.
CREATE FUNCTION run_can_become(p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
DROP TRIGGER runs_end_once ON runs;
-- The condition is checked in place; the function is only ever called to complain.
CREATE TRIGGER runs_keep_to_their_path BEFORE UPDATE ON runs FOR EACH ROW
  WHEN (NEW.epoch < OLD.epoch OR (NEW.status <> OLD.status AND NOT run_can_become(OLD.status, NEW.status)))
  EXECUTE FUNCTION refuse_run_change();
