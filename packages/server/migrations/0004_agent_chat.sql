-- Chats with agents. A session is one numbered log of events; a turn is a message and the reply to it.

CREATE TABLE agent_sessions (
  organization_id  text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id               text COLLATE "C" NOT NULL CHECK (id ~ '^session_[0-9A-Za-z]{24}$'),
  agent_id         text NOT NULL,
  external_id      text NOT NULL,
  end_user_id      text,
  -- Flows name their sessions; the same key of the same agent is the same session.
  session_key      text,
  -- The number of the last event of the last turn that has ended; a running turn counts on from here.
  last_seq         bigint NOT NULL DEFAULT 0,
  last_turn        integer NOT NULL DEFAULT 0,
  created_at       timestamptz NOT NULL DEFAULT millrace_now(),
  last_activity_at timestamptz NOT NULL DEFAULT millrace_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, external_id)
);
CREATE UNIQUE INDEX agent_sessions_by_key ON agent_sessions (organization_id, agent_id, session_key) WHERE session_key IS NOT NULL;

CREATE TABLE agent_turns (
  organization_id text NOT NULL,
  session_id      text COLLATE "C" NOT NULL,
  number          integer NOT NULL,
  status          text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  user_text       text NOT NULL,
  -- How many flows and agents that called each other stand above this message.
  depth           smallint NOT NULL DEFAULT 0,
  reply_text      text,
  -- What the model said and what its tools answered, as the next turn gives it to the model again.
  model_messages  json,
  history_size    integer NOT NULL DEFAULT 0,
  error_code      text,
  usage           json,
  -- The event before the first one of this turn, and the last one of it.
  first_seq       bigint,
  last_seq        bigint,
  -- Who runs it, and until when nobody else may call it lost.
  process_id      uuid,
  lease_until     timestamptz,
  created_at      timestamptz NOT NULL DEFAULT millrace_now(),
  started_at      timestamptz,
  first_output_at timestamptz,
  ended_at        timestamptz,
  deltas_deleted  boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, session_id, number),
  FOREIGN KEY (organization_id, session_id) REFERENCES agent_sessions ON DELETE CASCADE,
  CONSTRAINT running_turns_have_an_owner CHECK (status <> 'running' OR (process_id IS NOT NULL AND lease_until IS NOT NULL AND first_seq IS NOT NULL)),
  CONSTRAINT ended_turns_say_what_was_said CHECK ((status IN ('completed', 'failed')) = (ended_at IS NOT NULL AND reply_text IS NOT NULL AND last_seq IS NOT NULL)),
  CONSTRAINT failed_turns_say_why CHECK ((status = 'failed') = (error_code IS NOT NULL))
) WITH (fillfactor = 80);
-- One reply at a time, whatever the processes do.
CREATE UNIQUE INDEX agent_turns_one_running ON agent_turns (organization_id, session_id) WHERE status = 'running';
CREATE INDEX agent_turns_queued ON agent_turns (organization_id, session_id, number) WHERE status = 'queued';
CREATE INDEX agent_turns_by_process ON agent_turns (process_id) WHERE status = 'running';
CREATE INDEX agent_turns_with_deltas ON agent_turns (ended_at) WHERE ended_at IS NOT NULL AND NOT deltas_deleted;

-- payload: the piece of text, or the code of the error. The text of `done` is the turn's reply_text, so that
-- deltas may be deleted some time after the end while every old cursor still gets the whole reply.
CREATE TABLE agent_stream_events (
  organization_id text NOT NULL,
  session_id      text COLLATE "C" NOT NULL,
  seq             bigint NOT NULL,
  turn            integer NOT NULL,
  type            text NOT NULL CHECK (type IN ('text-delta', 'done', 'error')),
  payload         text,
  PRIMARY KEY (organization_id, session_id, seq),
  CONSTRAINT payload_where_needed CHECK ((type = 'done') = (payload IS NULL))
);

-- Takes a message into the queue of its session, and begins it for p_process (NULL: for nobody) where nothing
-- else is under way. Each statement sees what the lock waited for. No row: too many wait already.
CREATE FUNCTION accept_agent_message(
  p_organization text, p_session text, p_text text, p_process uuid, p_lease_ms integer, p_most_waiting integer, p_depth integer
) RETURNS TABLE (number integer, status text, first_seq bigint) LANGUAGE plpgsql AS $$
DECLARE
  v_session agent_sessions;
  v_running integer;
  v_waiting integer;
  v_begins boolean;
BEGIN
  SELECT * INTO STRICT v_session FROM agent_sessions s WHERE s.organization_id = p_organization AND s.id = p_session FOR UPDATE;
  SELECT count(*) FILTER (WHERE t.status = 'running'), count(*) FILTER (WHERE t.status = 'queued') INTO v_running, v_waiting
    FROM agent_turns t WHERE t.organization_id = p_organization AND t.session_id = p_session AND t.status IN ('queued', 'running');
  IF v_waiting >= p_most_waiting THEN RETURN; END IF;
  v_begins := v_running = 0 AND v_waiting = 0 AND p_process IS NOT NULL;
  UPDATE agent_sessions s SET last_turn = s.last_turn + 1, last_activity_at = millrace_now()
   WHERE s.organization_id = p_organization AND s.id = p_session;
  RETURN QUERY
  INSERT INTO agent_turns AS t (organization_id, session_id, number, status, user_text, depth, history_size, first_seq, process_id, lease_until, started_at)
  VALUES (p_organization, p_session, v_session.last_turn + 1, CASE WHEN v_begins THEN 'running' ELSE 'queued' END, p_text, p_depth, length(p_text),
          CASE WHEN v_begins THEN v_session.last_seq END, CASE WHEN v_begins THEN p_process END,
          CASE WHEN v_begins THEN millrace_now() + make_interval(secs => p_lease_ms / 1000.0) END,
          CASE WHEN v_begins THEN millrace_now() END)
  RETURNING t.number, t.status, coalesce(t.first_seq, v_session.last_seq);
END $$;

-- The next message of a session for p_process, where no other is being answered.
CREATE FUNCTION claim_agent_turn(p_organization text, p_session text, p_process uuid, p_lease_ms integer)
RETURNS TABLE (number integer, first_seq bigint, user_text text) LANGUAGE plpgsql AS $$
DECLARE
  v_session agent_sessions;
BEGIN
  SELECT * INTO v_session FROM agent_sessions s WHERE s.organization_id = p_organization AND s.id = p_session FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY
  UPDATE agent_turns t SET status = 'running', process_id = p_process, first_seq = v_session.last_seq, started_at = millrace_now(),
         lease_until = millrace_now() + make_interval(secs => p_lease_ms / 1000.0)
   WHERE t.organization_id = p_organization AND t.session_id = p_session
     AND t.number = (SELECT min(q.number) FROM agent_turns q
                      WHERE q.organization_id = p_organization AND q.session_id = p_session AND q.status = 'queued')
     AND NOT EXISTS (SELECT FROM agent_turns r WHERE r.organization_id = p_organization AND r.session_id = p_session AND r.status = 'running')
  RETURNING t.number, t.first_seq, t.user_text;
END $$;
