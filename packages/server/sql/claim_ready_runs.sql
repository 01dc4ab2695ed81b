-- Takes ready runs for a process that has `most` places left, which it shares between organizations: each gets the same, no
-- more than it has room for, and not so many together that none is left for one that comes next.
-- p_claim: process_id, most, greed and rooms: of the organizations that hold places already, how many more each may have
-- ({organization_id, room}); who is not named may have its share.
CREATE OR REPLACE FUNCTION claim_ready_runs(p_claim jsonb) RETURNS SETOF claimed_run
LANGUAGE plpgsql AS $$
DECLARE
  v_now   timestamptz := millrace_now();
  v_most  integer := (p_claim->>'most')::integer;
  v_greed integer := (p_claim->>'greed')::integer;
  v_orgs  text[];
  v_share integer;
BEGIN
  -- A walk from one organization to the next along the index, not over all ready runs.
  WITH RECURSIVE ready AS (
    (SELECT organization_id FROM runs WHERE status = 'WAITING' AND stage = 'admitted' ORDER BY organization_id, priority DESC, id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.organization_id FROM runs r
             WHERE r.status = 'WAITING' AND r.stage = 'admitted' AND r.organization_id > ready.organization_id
             ORDER BY r.organization_id, r.priority DESC, r.id LIMIT 1)
      FROM ready WHERE ready.organization_id IS NOT NULL
  )
  SELECT array_agg(r.organization_id ORDER BY random()) INTO v_orgs
    FROM ready r LEFT JOIN jsonb_to_recordset(p_claim->'rooms') AS h(organization_id text, room integer) ON h.organization_id = r.organization_id
   WHERE r.organization_id IS NOT NULL AND coalesce(h.room, 1) > 0;
  IF v_orgs IS NULL THEN RETURN; END IF;
  v_share := greatest(1, v_greed * v_most / (1 + v_greed * cardinality(v_orgs)));
  RETURN QUERY
  WITH taken AS (
    SELECT t.organization_id, t.id FROM unnest(v_orgs) AS o(id)
      LEFT JOIN jsonb_to_recordset(p_claim->'rooms') AS h(organization_id text, room integer) ON h.organization_id = o.id
     CROSS JOIN LATERAL (
      SELECT r.organization_id, r.id FROM runs r
       WHERE r.organization_id = o.id AND r.status = 'WAITING' AND r.stage = 'admitted'
       ORDER BY r.priority DESC, r.id LIMIT least(v_share, h.room) FOR UPDATE SKIP LOCKED
    ) AS t LIMIT v_most
  ), moved AS (
    UPDATE runs r SET
      status = 'EXECUTING', epoch = r.epoch + 1, process_id = (p_claim->>'process_id')::uuid, claimed_at = v_now,
      started_at = coalesce(r.started_at, v_now), updated_at = v_now,
      deadline_at = v_now + (r.max_duration_ms - r.active_ms) * interval '1 millisecond',
      event_seq = r.event_seq + CASE WHEN r.started_at IS NULL AND EXISTS (
        SELECT FROM event_endpoints e WHERE e.organization_id = r.organization_id AND e.enabled) THEN 1 ELSE 0 END
    FROM taken t WHERE r.organization_id = t.organization_id AND r.id = t.id
    RETURNING r.*, CASE WHEN r.started_at = v_now THEN run_event_of(r, 'run.started', r.event_seq, NULL) END AS event
  ), told AS (
    INSERT INTO event_batches (organization_id, created_at, run_events)
    SELECT m.organization_id, v_now, array_agg(m.event) FROM moved m
     WHERE m.started_at = v_now AND EXISTS (SELECT FROM event_endpoints e WHERE e.organization_id = m.organization_id AND e.enabled)
     GROUP BY m.organization_id
  )
  SELECT m.organization_id, m.id, m.flow_id, m.version, m.epoch, m.attempt, m.max_duration_ms - m.active_ms, m.depth, p.data, p.inputs, p.trigger
    FROM moved m LEFT JOIN run_payloads p ON p.organization_id = m.organization_id AND p.run_id = m.id;
END $$;
