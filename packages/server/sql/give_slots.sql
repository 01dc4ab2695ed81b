-- Gives free slots to the head of the queue; the first `p_claim` runs go straight to `p_process`.
-- The caller holds the organization's lock.
-- One plan for all sizes of batches: thinking each over takes as long as carrying it out. That plan is a good one only where
-- rows are named by an array, of which PostgreSQL expects few elements, and not by a LIMIT, of which it expects a tenth of all.
CREATE OR REPLACE FUNCTION give_slots(p_org organizations, p_process uuid, p_claim integer) RETURNS SETOF claimed_run
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now    timestamptz := millrace_now();
  v_free   integer;
  v_head   text[];
  v_listen boolean;
BEGIN
  -- What a suspended organization has accepted waits until it is let in again.
  IF p_org.suspended THEN RETURN; END IF;
  SELECT p_org.concurrency_limit - count(*) INTO v_free FROM runs WHERE organization_id = p_org.id AND holds_slot;
  IF v_free <= 0 THEN RETURN; END IF;
  v_head := ARRAY(SELECT q.id FROM runs q
                   WHERE q.organization_id = p_org.id AND q.status = 'WAITING' AND q.stage = 'queued'
                   ORDER BY q.priority DESC, q.id LIMIT v_free FOR UPDATE SKIP LOCKED);
  IF v_head = '{}' THEN RETURN; END IF;
  v_listen := EXISTS (SELECT FROM event_endpoints WHERE organization_id = p_org.id AND enabled);
  RETURN QUERY
  WITH place AS (
    SELECT h.id, h.at <= p_claim AS claimed FROM unnest(v_head) WITH ORDINALITY AS h(id, at)
  ), moved AS (
    UPDATE runs r SET
      stage = 'admitted', updated_at = v_now,
      status = CASE WHEN p.claimed THEN 'EXECUTING' ELSE 'WAITING' END,
      epoch = r.epoch + p.claimed::integer,
      process_id = CASE WHEN p.claimed THEN p_process END,
      claimed_at = CASE WHEN p.claimed THEN v_now END,
      started_at = CASE WHEN p.claimed THEN coalesce(r.started_at, v_now) ELSE r.started_at END,
      deadline_at = CASE WHEN p.claimed THEN v_now + (r.max_duration_ms - r.active_ms) * interval '1 millisecond' END,
      event_seq = r.event_seq + CASE WHEN v_listen AND r.started_at IS NULL
                                     THEN r.answered_queued::integer + p.claimed::integer ELSE 0 END
    FROM place p
    WHERE r.organization_id = p_org.id AND r.id = p.id
    RETURNING r.*, p.claimed, r.started_at = v_now OR r.started_at IS NULL AS fresh,
      CASE WHEN v_listen AND r.answered_queued THEN run_event_of(r, 'queue.item_dispatched', r.event_seq - p.claimed::integer, NULL) END AS dispatched,
      CASE WHEN v_listen AND p.claimed THEN run_event_of(r, 'run.started', r.event_seq, NULL) END AS started
  ), told AS (
    INSERT INTO event_batches (organization_id, created_at, run_events)
    SELECT p_org.id, v_now, array_cat(array_agg(m.dispatched) FILTER (WHERE m.answered_queued), array_agg(m.started) FILTER (WHERE m.claimed))
      FROM moved m WHERE v_listen AND m.fresh AND (m.answered_queued OR m.claimed) HAVING count(*) > 0
  )
  SELECT m.organization_id, m.id, m.flow_id, m.version, m.epoch, m.attempt, m.max_duration_ms - m.active_ms, m.depth, p.data, p.inputs, p.trigger
    FROM moved m LEFT JOIN run_payloads p ON p.organization_id = m.organization_id AND p.run_id = m.id
   WHERE m.claimed;
END $$;
