-- Takes ready runs for a process that has `most` places left, which it shares between organizations: each gets the same, no
-- more than it has room for, and not so many together that none is left for one that comes next.
-- p_claim: process_id, most, greed and rooms: of the organizations that hold places already, how many more each may have
-- ({organization_id, room}); who is not named may have its share.
-- One plan for all sizes of batches, as in give_slots: rows are named by arrays.
CREATE OR REPLACE FUNCTION claim_ready_runs(p_claim jsonb) RETURNS SETOF claimed_run
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now       timestamptz := millrace_now();
  v_process   uuid := p_claim->>'process_id';
  v_most      integer := p_claim->>'most';
  v_greed     integer := p_claim->>'greed';
  v_orgs      text[];
  v_rooms     integer[];
  v_share     integer;
  v_of        text[];
  v_ids       text[];
  v_listening text[];
BEGIN
  -- A walk from one organization to the next along the index, not over all ready runs.
  WITH RECURSIVE ready AS (
    (SELECT organization_id FROM runs WHERE status = 'WAITING' AND stage = 'admitted' ORDER BY organization_id, priority DESC, id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.organization_id FROM runs r
             WHERE r.status = 'WAITING' AND r.stage = 'admitted' AND r.organization_id > ready.organization_id
             ORDER BY r.organization_id, r.priority DESC, r.id LIMIT 1)
      FROM ready WHERE ready.organization_id IS NOT NULL
  ), having_room AS (
    SELECT r.organization_id, h.room
      FROM ready r LEFT JOIN jsonb_to_recordset(p_claim->'rooms') AS h(organization_id text, room integer) ON h.organization_id = r.organization_id
     WHERE r.organization_id IS NOT NULL AND coalesce(h.room, 1) > 0 ORDER BY random()
  )
  SELECT array_agg(organization_id), array_agg(room) INTO v_orgs, v_rooms FROM having_room;
  IF v_orgs IS NULL THEN RETURN; END IF;
  v_share := greatest(1, v_greed * v_most / (1 + v_greed * cardinality(v_orgs)));
  SELECT array_agg(taken.organization_id), array_agg(taken.id) INTO v_of, v_ids FROM (
    SELECT t.organization_id, t.id FROM unnest(v_orgs, v_rooms) AS o(id, room) CROSS JOIN LATERAL (
      SELECT r.organization_id, r.id FROM runs r
       WHERE r.organization_id = o.id AND r.status = 'WAITING' AND r.stage = 'admitted'
       ORDER BY r.priority DESC, r.id LIMIT least(v_share, o.room) FOR UPDATE SKIP LOCKED
    ) AS t LIMIT v_most
  ) AS taken;
  IF v_ids IS NULL THEN RETURN; END IF;
  v_listening := ARRAY(SELECT organization_id FROM event_endpoints WHERE enabled AND organization_id = ANY (v_orgs));
  RETURN QUERY
  WITH moved AS (
    UPDATE runs r SET
      status = 'EXECUTING', epoch = r.epoch + 1, process_id = v_process, claimed_at = v_now,
      started_at = coalesce(r.started_at, v_now), updated_at = v_now,
      deadline_at = v_now + (r.max_duration_ms - r.active_ms) * interval '1 millisecond',
      event_seq = r.event_seq + (r.started_at IS NULL AND r.organization_id = ANY (v_listening))::integer
    FROM unnest(v_of, v_ids) AS t(organization_id, id) WHERE r.organization_id = t.organization_id AND r.id = t.id
    RETURNING r.organization_id, r.id, r.flow_id, r.version, r.epoch, r.attempt, r.max_duration_ms - r.active_ms AS remaining_ms, r.depth,
      CASE WHEN r.started_at = v_now AND r.organization_id = ANY (v_listening) THEN run_event_of(r, 'run.started', r.event_seq, NULL) END AS event
  ), told AS (
    INSERT INTO event_batches (organization_id, created_at, run_events)
    SELECT m.organization_id, v_now, array_agg(m.event) FROM moved m WHERE m.event IS DISTINCT FROM NULL GROUP BY m.organization_id
  )
  SELECT m.organization_id, m.id, m.flow_id, m.version, m.epoch, m.attempt, m.remaining_ms, m.depth, p.data, p.inputs, p.trigger
    FROM moved m LEFT JOIN run_payloads p ON p.organization_id = m.organization_id AND p.run_id = m.id;
END $$;
