-- Registers what nodes of executing runs wait for, and starts the runs that some of them wait for: one call, so that no lock
-- is held while a process thinks. What an earlier call has registered is reported as it is, so that a child is started once per
-- run, node and attempt. An ordinal without a row: the run is not at that epoch any more.
-- p_begin: organization_id and waits, several runs of one organization together, each with its child as a `new_run`. What the
-- children are given is apart, so that nobody copies it or reads it.
CREATE OR REPLACE FUNCTION begin_waits(p_begin json, p_data text[], p_inputs text[], p_triggers text[])
RETURNS TABLE (ordinal integer, started_at timestamptz, due_at timestamptz, expires_at timestamptz, answer json, answered_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_organization text := p_begin->>'organization_id';
  v_waits    json := p_begin->'waits';
  v_now      timestamptz;
  v_org      organizations;
  v_mine     text[];
  v_balance  bigint;
  v_children run_batch;
BEGIN
  -- The organization first, as admission does: nobody spends the same credits meanwhile.
  IF EXISTS (SELECT FROM json_array_elements(v_waits) AS a WHERE a->'child' IS NOT NULL) THEN
    SELECT * INTO v_org FROM organizations WHERE id = v_organization FOR NO KEY UPDATE;
    IF v_org.credits_limited THEN
      SELECT coalesce(sum(amount), 0) INTO v_balance FROM credit_entries WHERE organization_id = v_organization;
    END IF;
  END IF;
  -- Held until all of it is written, so that nothing can land after somebody else has taken the run over.
  v_mine := ARRAY(
    SELECT r.id FROM runs r
     WHERE r.organization_id = v_organization AND r.status = 'EXECUTING'
       AND (r.id, r.epoch) IN (SELECT a."runId", a.epoch FROM json_to_recordset(v_waits) AS a("runId" text, epoch integer))
     ORDER BY r.id FOR SHARE);
  v_now := millrace_now();

  INSERT INTO run_waits AS w (organization_id, run_id, node_key, attempt, node_id, kind, message, details, due_at, expires_at, child_run_id,
                         on_parent_end, answer, answered_at, created_at)
  SELECT v_organization, a."runId", a."nodeKey", a.attempt, a."nodeId", a.kind, a.message, a.details, least(a.due_at, a.expires_at), a.expires_at,
         CASE WHEN a.answer IS NULL THEN a.child->>'id' END, coalesce(a."onParentEnd", 'cancel'), a.answer,
         CASE WHEN a.answer IS NOT NULL THEN v_now END, v_now
    FROM (
      SELECT b.*, coalesce(to_timestamp(b."untilMs" / 1000), v_now + b."durationMs" * interval '1 millisecond') AS due_at,
             v_now + b."timeoutMs" * interval '1 millisecond' AS expires_at,
             CASE WHEN b.refusal IS NOT NULL THEN b.refusal
                  -- In the order they were reached, as long as there are credits.
                  WHEN b.total > v_balance THEN json_build_object('error', json_build_object('name', 'InsufficientCredits',
                       'message', format('The organization has too few credits left to run the flow %s.', b.child->>'flow_id')))
             END AS answer
        FROM (
          SELECT c.*, sum(CASE WHEN known.run_id IS NULL THEN (c.child->>'credits')::integer ELSE 0 END) OVER (ORDER BY c.ordinality) AS total
            FROM ROWS FROM (json_to_recordset(v_waits) AS ("runId" text, "nodeKey" text, attempt integer, "nodeId" text, kind text,
                   message text, details json, "untilMs" double precision, "durationMs" double precision, "timeoutMs" double precision, refusal json,
                   child json, "onParentEnd" text)) WITH ORDINALITY AS c
            LEFT JOIN run_waits known ON known.organization_id = v_organization AND known.run_id = c."runId"
                  AND known.node_key = c."nodeKey" AND known.attempt = c.attempt
           WHERE c."runId" = ANY(v_mine)
        ) AS b
    ) AS a
  ON CONFLICT DO NOTHING;

  -- Only for waits that are new: others have their children already.
  IF v_org.id IS NOT NULL THEN
    SELECT array_agg(c.run ORDER BY c.at), array_agg(p_data[c.at] ORDER BY c.at), array_agg(p_inputs[c.at] ORDER BY c.at),
           array_agg(p_triggers[c.at] ORDER BY c.at)
      INTO v_children.runs, v_children.data, v_children.inputs, v_children.triggers
      FROM (
        SELECT a.ordinality AS at, json_populate_record(json_populate_record(NULL::new_run, a.child),
                 json_build_object('place', 'queued', 'is_test', p.is_test)) AS run
          FROM ROWS FROM (json_to_recordset(v_waits) AS ("runId" text, "nodeKey" text, attempt integer, child json)) WITH ORDINALITY AS a
          JOIN run_waits w ON w.organization_id = v_organization AND w.run_id = a."runId" AND w.node_key = a."nodeKey" AND w.attempt = a.attempt
               AND w.child_run_id = a.child->>'id'
          JOIN runs p ON p.organization_id = v_organization AND p.id = a."runId"
         WHERE a."runId" = ANY(v_mine) AND NOT EXISTS (SELECT FROM runs r WHERE r.organization_id = v_organization AND r.id = a.child->>'id')
      ) AS c;
    v_children.organization_id := v_organization;
    PERFORM insert_runs(v_children);
    -- What nobody waits for is answered by its start.
    UPDATE run_waits w SET answer = json_build_object('runId', w.child_run_id, 'status', 'WAITING'), answered_at = v_now
      FROM json_to_recordset(v_waits) AS a("runId" text, "nodeKey" text, attempt integer, "isLeft" boolean)
     WHERE w.organization_id = v_organization AND w.run_id = a."runId" AND w.node_key = a."nodeKey" AND w.attempt = a.attempt
       AND a."isLeft" AND w.answered_at IS NULL AND w.run_id = ANY(v_mine);
  END IF;

  RETURN QUERY
  SELECT a.ordinality::integer, w.created_at, w.due_at, w.expires_at, w.answer, w.answered_at
    FROM ROWS FROM (json_to_recordset(v_waits) AS ("runId" text, "nodeKey" text, attempt integer)) WITH ORDINALITY AS a
    JOIN run_waits w ON w.organization_id = v_organization AND w.run_id = a."runId" AND w.node_key = a."nodeKey" AND w.attempt = a.attempt
   WHERE a."runId" = ANY(v_mine);
END $$;
