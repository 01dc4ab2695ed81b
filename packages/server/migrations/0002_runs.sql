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
  -- COLLATE "C": ids sort by time only byte by byte, whatever the database was created with.
  id              text COLLATE "C" NOT NULL CHECK (id ~ '^run_[0-9A-Za-z]{24}$'),
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
  parent_run_id   text,
  parent_node_key text,
  depth           smallint NOT NULL DEFAULT 0,
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

-- Lists.
CREATE INDEX runs_by_flow ON runs (organization_id, flow_id, status, id);
CREATE INDEX runs_by_status ON runs (organization_id, status, id);
CREATE INDEX runs_by_version ON runs (organization_id, version, id);
CREATE INDEX runs_that_test ON runs (organization_id, id) WHERE is_test;
CREATE INDEX runs_of_subflows ON runs (organization_id, id) WHERE parent_run_id IS NOT NULL;
-- The engine. Each holds only the few rows that are in that state right now.
CREATE INDEX runs_holding_slots ON runs (organization_id) WHERE holds_slot;
CREATE INDEX runs_queued ON runs (organization_id, priority DESC, id) WHERE status = 'WAITING' AND stage = 'queued';
CREATE INDEX runs_ready ON runs (organization_id, priority DESC, id) WHERE status = 'WAITING' AND stage = 'admitted';
CREATE INDEX runs_delayed ON runs (due_at) WHERE status = 'WAITING' AND stage = 'delayed';
CREATE INDEX runs_executing ON runs (process_id) WHERE status = 'EXECUTING';
CREATE INDEX runs_deadlines ON runs (deadline_at) WHERE status = 'EXECUTING';

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
  run_id          text NOT NULL,
  data            json,
  inputs          json,
  trigger         json,
  PRIMARY KEY (organization_id, run_id)
);

-- What came of it, with the records of the nodes that needed no checkpoint of their own.
CREATE TABLE run_results (
  organization_id text NOT NULL,
  run_id          text NOT NULL,
  output          json,
  error           json,
  nodes           json,
  PRIMARY KEY (organization_id, run_id)
);

-- Checkpoints: at most one output per node and round, whoever writes it.
CREATE TABLE run_nodes (
  organization_id text NOT NULL,
  run_id          text NOT NULL,
  node_key        text NOT NULL,
  epoch           integer NOT NULL,
  record          json NOT NULL,
  PRIMARY KEY (organization_id, run_id, node_key)
);

CREATE TABLE run_tags (
  organization_id text NOT NULL,
  tag             text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, tag, run_id)
);

-- What a PAUSED run waits for. The first answer wins: answered_at is set once.
CREATE TABLE run_waits (
  organization_id text NOT NULL,
  run_id          text NOT NULL,
  node_key        text NOT NULL,
  node_id         text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('wait', 'approval', 'run-flow')),
  message         text,
  due_at          timestamptz,
  child_run_id    text,
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
  run_id          text NOT NULL,
  PRIMARY KEY (organization_id, scope, key_hash)
);
CREATE INDEX idempotency_keys_by_run ON idempotency_keys (organization_id, run_id);

-- Events of committed changes, written in the transaction of the change; only for organizations that listen.
CREATE TABLE events (
  organization_id text NOT NULL,
  id              text NOT NULL,
  type            text NOT NULL,
  run_id          text,
  seq             integer,
  data            json NOT NULL,
  created_at      timestamptz NOT NULL,
  fanned_out      boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX events_in_run_order ON events (organization_id, run_id, seq) WHERE run_id IS NOT NULL;
CREATE UNIQUE INDEX events_one_ending ON events (organization_id, run_id)
  WHERE type IN ('run.completed', 'run.failed', 'run.canceled', 'run.crashed', 'run.timed_out');
CREATE INDEX events_to_fan_out ON events (created_at) WHERE NOT fanned_out;

-- Keys of the `store` node.
CREATE TABLE organization_store (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  key             text NOT NULL,
  value           json NOT NULL,
  updated_at      timestamptz NOT NULL DEFAULT millrace_now(),
  PRIMARY KEY (organization_id, key)
);

-- The id of an event follows from its run and number: writing it again is the same event.
CREATE FUNCTION event_id(p_run text, p_seq integer) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT 'evt_' || substr(p_run, 5) || lpad(p_seq::text, 6, '0') $$;

CREATE FUNCTION iso(p_time timestamptz) RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT to_char(p_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- `createdAt` is in the id; whoever sends the event reads it from there.
CREATE FUNCTION run_event_json(
  p_id text, p_flow text, p_version text, p_status text, p_source text, p_tags text[], p_is_test boolean, p_attempt integer,
  p_parent text, p_started timestamptz, p_completed timestamptz, p_updated timestamptz, p_error json
) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('run', json_strip_nulls(json_build_object(
    'id', p_id, 'status', p_status, 'taskIdentifier', CASE WHEN p_parent IS NULL THEN 'execute-flow' ELSE 'execute-subflow' END,
    'version', p_version, 'flowId', p_flow, 'triggerSource', p_source, 'tags', p_tags, 'isTest', p_is_test, 'attempt', p_attempt,
    'startedAt', iso(p_started), 'completedAt', iso(p_completed), 'updatedAt', iso(p_updated), 'error', p_error)))
$$;

CREATE FUNCTION queue_item_json(p_run text, p_flow text, p_status text) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_strip_nulls(json_build_object('id', 'queue_' || substr(p_run, 5), 'status', p_status, 'flowId', p_flow,
    'runHistoryId', 'rh_' || substr(p_run, 5), 'runId', CASE WHEN p_status = 'dispatched' THEN p_run END))
$$;
