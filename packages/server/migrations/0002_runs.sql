-- Runs: one row is queue item, history record and run, so that the three can never disagree.
-- `run_…`, `queue_…` and `rh_…` of one run share their suffix; the suffix begins with the time of creation,
-- so (organization_id, id) is also the order of every list.

-- Time is a parameter: a test sets millrace.now, everybody else gets the clock of the database.
CREATE FUNCTION millrace_now() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT coalesce(nullif(current_setting('millrace.now', true), '')::timestamptz, clock_timestamp()) $$;

-- One row per process incarnation; the lock is held by a session of that process as long as it lives.
CREATE TABLE processes (
  id           uuid PRIMARY KEY,
  lock_key     bigint NOT NULL,
  role         text NOT NULL,
  host         text NOT NULL,
  pid          integer NOT NULL,
  version      text NOT NULL,
  started_at   timestamptz NOT NULL DEFAULT millrace_now(),
  heartbeat_at timestamptz NOT NULL DEFAULT millrace_now()
);

CREATE TABLE runs (
  organization_id text NOT NULL,
  -- COLLATE "C": ids sort by time only byte by byte, whatever the database was created with. Every column that
  -- is joined to it says the same: an index in another collation would not be used, and a join would read all.
  id              text COLLATE "C" NOT NULL CHECK (length(id) = 28 AND left(id, 4) = 'run_'),
  flow_id         text NOT NULL,
  version         text NOT NULL,
  status          text NOT NULL CHECK (status IN
    ('WAITING', 'EXECUTING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELED', 'CRASHED', 'TIMED_OUT')),
  -- Where a WAITING run stands: not due yet, due but without a slot, or holding a slot.
  -- A run keeps `admitted` while it executes; what holds a slot is derived from the two.
  stage           text NOT NULL CHECK (stage IN ('delayed', 'queued', 'admitted')),
  -- The trigger was answered 202, so there is a queue item to look at.
  answered_queued boolean NOT NULL,
  -- Runs that have begun (children, retries, resumed ones) go before those that have not.
  priority        smallint NOT NULL DEFAULT 0,
  -- The fence: it rises whenever the run changes hands, and every write of a worker names the one it was given.
  epoch           integer NOT NULL DEFAULT 0,
  process_id      uuid,
  attempt         integer NOT NULL DEFAULT 1,
  max_attempts    integer NOT NULL DEFAULT 1,
  recoveries      integer NOT NULL DEFAULT 0,
  due_at          timestamptz,
  max_duration_ms bigint NOT NULL,
  -- Active time of earlier epochs; PAUSED does not count.
  active_ms       bigint NOT NULL DEFAULT 0,
  claimed_at      timestamptz,
  deadline_at     timestamptz,
  trigger_source  text NOT NULL,
  tags            text[] NOT NULL DEFAULT '{}',
  is_test         boolean NOT NULL DEFAULT false,
  parent_run_id   text COLLATE "C",
  parent_node_key text,
  depth           smallint NOT NULL DEFAULT 0,
  -- Reserved in the ledger; 0 where the organization's credits are unlimited.
  credits         integer NOT NULL DEFAULT 0,
  event_seq       integer NOT NULL DEFAULT 0,
  started_at      timestamptz,
  updated_at      timestamptz NOT NULL,
  completed_at    timestamptz,
  finished_epoch  integer,
  holds_slot      boolean NOT NULL GENERATED ALWAYS AS (stage = 'admitted' AND status IN ('WAITING', 'EXECUTING')) STORED,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT executing_runs_have_an_owner CHECK ((status = 'EXECUTING') = (process_id IS NOT NULL)),
  CONSTRAINT executing_runs_have_a_slot CHECK (status <> 'EXECUTING' OR stage = 'admitted'),
  CONSTRAINT executing_runs_have_a_deadline CHECK (status <> 'EXECUTING' OR deadline_at IS NOT NULL),
  CONSTRAINT delayed_runs_are_due_some_time CHECK (status <> 'WAITING' OR stage <> 'delayed' OR due_at IS NOT NULL),
  CONSTRAINT ended_runs_say_when CHECK ((status IN ('COMPLETED', 'FAILED', 'CANCELED', 'CRASHED', 'TIMED_OUT')) = (completed_at IS NOT NULL)),
  CONSTRAINT attempts_are_bounded CHECK (attempt <= max_attempts AND recoveries <= 3)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Lists. Each index is paid for by every run, twice; most runs complete, so those are found along the primary key.
CREATE INDEX runs_by_flow ON runs (organization_id, flow_id, status, id);
CREATE INDEX runs_by_status ON runs (organization_id, status, id) WHERE status <> 'COMPLETED';
CREATE INDEX runs_that_test ON runs (organization_id, id) WHERE is_test;
CREATE INDEX runs_of_subflows ON runs (organization_id, id) WHERE parent_run_id IS NOT NULL;
-- The engine. Each holds only the few rows that are in that state right now.
CREATE INDEX runs_holding_slots ON runs (organization_id) WHERE holds_slot;
CREATE INDEX runs_queued ON runs (organization_id, priority DESC, id) WHERE status = 'WAITING' AND stage = 'queued';
CREATE INDEX runs_ready ON runs (organization_id, priority DESC, id) WHERE status = 'WAITING' AND stage = 'admitted';
CREATE INDEX runs_delayed ON runs (due_at) WHERE status = 'WAITING' AND stage = 'delayed';
-- By its owner and not by its status: a batch of finished runs is to be found by the primary key.
CREATE INDEX runs_executing ON runs (process_id) WHERE process_id IS NOT NULL;

CREATE FUNCTION refuse_run_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'run % is % at epoch % and cannot become % at epoch %', OLD.id, OLD.status, OLD.epoch, NEW.status, NEW.epoch
    USING ERRCODE = 'check_violation';
END $$;
-- The condition is checked in place; the function is only ever called to complain.
CREATE TRIGGER runs_end_once BEFORE UPDATE ON runs FOR EACH ROW
  WHEN (NEW.epoch < OLD.epoch OR (OLD.status IN ('COMPLETED', 'FAILED', 'CANCELED', 'CRASHED', 'TIMED_OUT') AND NEW.status <> OLD.status))
  EXECUTE FUNCTION refuse_run_change();

-- What the trigger brought; apart from `runs`, so that the hot rows stay narrow. `json` keeps it letter by letter.
CREATE TABLE run_payloads (
  organization_id text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  data            json,
  inputs          json,
  trigger         json,
  PRIMARY KEY (organization_id, run_id)
);

-- What came of it, with the records of the nodes that needed no checkpoint of their own.
CREATE TABLE run_results (
  organization_id text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  output          json,
  error           json,
  nodes           json,
  PRIMARY KEY (organization_id, run_id)
);

-- Checkpoints: at most one output per node and round, whoever writes it.
CREATE TABLE run_nodes (
  organization_id text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  node_key        text NOT NULL,
  epoch           integer NOT NULL,
  record          json NOT NULL,
  PRIMARY KEY (organization_id, run_id, node_key)
);

-- With the run's status, so that the few failures of a tag are found among its many successes.
CREATE TABLE run_tags (
  organization_id text NOT NULL,
  tag             text NOT NULL,
  status          text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, tag, status, run_id)
);
CREATE FUNCTION follow_run_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE run_tags SET status = NEW.status
   WHERE organization_id = NEW.organization_id AND tag = ANY(NEW.tags) AND status = OLD.status AND run_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER run_tags_follow AFTER UPDATE OF status ON runs FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NEW.tags <> '{}') EXECUTE FUNCTION follow_run_status();

-- What a PAUSED run waits for. The first answer wins: answered_at is set once.
CREATE TABLE run_waits (
  organization_id text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  node_key        text NOT NULL,
  node_id         text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('wait', 'approval', 'run-flow')),
  message         text,
  due_at          timestamptz,
  child_run_id    text COLLATE "C",
  answer          json,
  answered_at     timestamptz,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, run_id, node_key),
  CONSTRAINT answers_have_a_time CHECK ((answer IS NULL) = (answered_at IS NULL))
);
CREATE INDEX run_waits_due ON run_waits (due_at) WHERE answered_at IS NULL AND due_at IS NOT NULL;

-- scope: `api:<flowId>` or `webhook:<flowId>`. A row lives as long as its run.
CREATE TABLE idempotency_keys (
  organization_id text NOT NULL,
  scope           text NOT NULL,
  key_hash        bytea NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, scope, key_hash)
);
CREATE INDEX idempotency_keys_by_run ON idempotency_keys (organization_id, run_id);

-- An event of a run or of its queue item, as it was when it happened; whoever sends it makes the words of it.
CREATE TYPE run_event AS (
  type           text,
  run_id         text COLLATE "C",
  seq            integer,
  flow_id        text,
  version        text,
  status         text,
  trigger_source text,
  tags           text[],
  is_test        boolean,
  attempt        integer,
  parent_run_id  text COLLATE "C",
  started_at     timestamptz,
  completed_at   timestamptz,
  error          json,
  waits          json
);

-- Events of committed changes, written in the statement of the change; only for organizations that listen.
-- One row holds all events of one organization in one statement: a row per event would cost the engine more than its runs.
CREATE TABLE event_batches (
  organization_id text NOT NULL,
  number          bigint GENERATED ALWAYS AS IDENTITY,
  -- The place in the log, given after the commit: whoever sees a position sees all before it.
  position        bigint,
  created_at      timestamptz NOT NULL,
  run_events      run_event[],
  -- Or a single event of anything else, ready to be sent.
  other_id        text,
  other_type      text,
  other_data      json,
  PRIMARY KEY (organization_id, number),
  CONSTRAINT batches_hold_one_or_the_other CHECK ((run_events IS NULL) = (other_id IS NOT NULL AND other_type IS NOT NULL AND other_data IS NOT NULL))
);
CREATE UNIQUE INDEX event_batches_in_order ON event_batches (organization_id, position);
CREATE INDEX event_batches_to_place ON event_batches (number) WHERE position IS NULL;
CREATE INDEX event_batches_by_time ON event_batches USING brin (created_at) WITH (pages_per_range = 16, autosummarize = on);

-- Keys of the `store` node.
CREATE TABLE organization_store (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  key             text NOT NULL,
  value           json NOT NULL,
  updated_at      timestamptz NOT NULL DEFAULT millrace_now(),
  PRIMARY KEY (organization_id, key)
);

CREATE FUNCTION iso(p_time timestamptz) RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT to_char(p_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- The id of an event follows from its run and number: writing it again is the same event.
CREATE FUNCTION event_id(p_run text, p_seq integer) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT 'evt_' || substr(p_run, 5) || lpad(p_seq::text, 6, '0') $$;

-- The log, an event a row. Data of a run's event is what the run_event says.
CREATE VIEW events AS
  SELECT b.organization_id, b.position, e.ordinal::integer AS ordinal, event_id(e.run_id, e.seq) AS id, e.type, e.run_id, e.seq,
         json_build_object('flowId', e.flow_id, 'version', e.version, 'status', e.status, 'triggerSource', e.trigger_source, 'tags', e.tags,
           'isTest', e.is_test, 'attempt', e.attempt, 'parentRunId', e.parent_run_id, 'startedAt', e.started_at,
           'completedAt', e.completed_at, 'error', e.error, 'waits', e.waits) AS data,
         b.created_at
    FROM event_batches b CROSS JOIN LATERAL unnest(b.run_events) WITH ORDINALITY AS e(type, run_id, seq, flow_id, version, status,
         trigger_source, tags, is_test, attempt, parent_run_id, started_at, completed_at, error, waits, ordinal)
  UNION ALL
  SELECT b.organization_id, b.position, 1, b.other_id, b.other_type, NULL, NULL, b.other_data, b.created_at
    FROM event_batches b WHERE b.other_id IS NOT NULL;

-- Events that are not of runs are rare; they are written one by one through the view.
CREATE FUNCTION insert_other_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_batches (organization_id, created_at, other_id, other_type, other_data)
  VALUES (NEW.organization_id, NEW.created_at, NEW.id, NEW.type, NEW.data);
  RETURN NEW;
END $$;
CREATE TRIGGER events_insert INSTEAD OF INSERT ON events FOR EACH ROW EXECUTE FUNCTION insert_other_event();
