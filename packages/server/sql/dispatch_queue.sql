-- Fills the free slots of one organization from its queue.
-- p_dispatch: organization_id, process_id, claim (how many of the runs the process begins itself).
CREATE OR REPLACE FUNCTION dispatch_queue(p_dispatch jsonb) RETURNS SETOF claimed_run
LANGUAGE plpgsql AS $$
DECLARE
  v_org organizations;
BEGIN
  SELECT * INTO v_org FROM organizations WHERE id = p_dispatch->>'organization_id' FOR NO KEY UPDATE;
  IF FOUND THEN
    RETURN QUERY SELECT * FROM give_slots(v_org, (p_dispatch->>'process_id')::uuid, (p_dispatch->>'claim')::integer);
  END IF;
END $$;
