-- Takes a message into the queue of its session, and begins it for a process where nothing else is under way.
-- Each statement sees what the lock waited for. No row: too many wait already.
-- p_message: organization_id, session_id, process_id (null: begin it for nobody), lease_ms, max_waiting, depth.
CREATE OR REPLACE FUNCTION accept_chat_message(p_message jsonb, p_text text)
RETURNS TABLE (number integer, status text, first_seq bigint) LANGUAGE plpgsql AS $$
DECLARE
  v_org     text := p_message->>'organization_id';
  v_process uuid := (p_message->>'process_id')::uuid;
  v_session agent_sessions;
  v_running integer;
  v_waiting integer;
  v_begins  boolean;
BEGIN
  SELECT * INTO STRICT v_session FROM agent_sessions s WHERE s.organization_id = v_org AND s.id = p_message->>'session_id' FOR UPDATE;
  SELECT count(*) FILTER (WHERE t.status = 'running'), count(*) FILTER (WHERE t.status = 'queued') INTO v_running, v_waiting
    FROM agent_turns t WHERE t.organization_id = v_org AND t.session_id = v_session.id AND t.status IN ('queued', 'running');
  IF v_waiting >= (p_message->>'max_waiting')::integer THEN RETURN; END IF;
  v_begins := v_running = 0 AND v_waiting = 0 AND v_process IS NOT NULL;
  UPDATE agent_sessions s SET last_turn = s.last_turn + 1, last_activity_at = millrace_now()
   WHERE s.organization_id = v_org AND s.id = v_session.id;
  RETURN QUERY
  INSERT INTO agent_turns AS t (organization_id, session_id, number, status, user_text, depth, history_size, first_seq, process_id, lease_until, started_at)
  VALUES (v_org, v_session.id, v_session.last_turn + 1, CASE WHEN v_begins THEN 'running' ELSE 'queued' END, p_text,
          (p_message->>'depth')::integer, length(p_text), CASE WHEN v_begins THEN v_session.last_seq END,
          CASE WHEN v_begins THEN v_process END,
          CASE WHEN v_begins THEN millrace_now() + (p_message->>'lease_ms')::integer * interval '1 millisecond' END,
          CASE WHEN v_begins THEN millrace_now() END)
  RETURNING t.number, t.status, coalesce(t.first_seq, v_session.last_seq);
END $$;
