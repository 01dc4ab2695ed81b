-- The next message of a session for a process, where no other is being answered.
-- p_claim: organization_id, session_id, process_id, lease_ms.
CREATE OR REPLACE FUNCTION claim_chat_turn(p_claim jsonb)
RETURNS TABLE (number integer, first_seq bigint, user_text text) LANGUAGE plpgsql AS $$
DECLARE
  v_session agent_sessions;
BEGIN
  SELECT * INTO v_session FROM agent_sessions s
   WHERE s.organization_id = p_claim->>'organization_id' AND s.id = p_claim->>'session_id' FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY
  UPDATE agent_turns t SET status = 'running', process_id = (p_claim->>'process_id')::uuid, first_seq = v_session.last_seq,
         started_at = millrace_now(), lease_until = millrace_now() + (p_claim->>'lease_ms')::integer * interval '1 millisecond'
   WHERE t.organization_id = v_session.organization_id AND t.session_id = v_session.id
     AND t.number = (SELECT min(q.number) FROM agent_turns q
                      WHERE q.organization_id = v_session.organization_id AND q.session_id = v_session.id AND q.status = 'queued')
     AND NOT EXISTS (SELECT FROM agent_turns r
                      WHERE r.organization_id = v_session.organization_id AND r.session_id = v_session.id AND r.status = 'running')
  RETURNING t.number, t.first_seq, t.user_text;
END $$;
