-- Parks a run whose nodes all wait: its slot is free. False where it had changed hands. Where something it waits for has been
-- answered meanwhile it goes on at once: the run's row is locked first and looked at afterwards, and whoever answers locks
-- it too, so no answer can fall in between.
-- p_pause: organization_id, run_id, epoch, waits (those that the process has no answer to: node_key, attempt) and node_keys, of the
-- records in p_records.
CREATE OR REPLACE FUNCTION pause_run(p_pause jsonb, p_records text[]) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_org    text := p_pause->>'organization_id';
  v_id     text := p_pause->>'run_id';
  v_epoch  integer := (p_pause->>'epoch')::integer;
  v_now    timestamptz := millrace_now();
  v_listen boolean := EXISTS (SELECT FROM event_endpoints WHERE organization_id = v_org AND enabled);
  v_run    runs;
  v_waits  json;
BEGIN
  UPDATE runs r SET status = 'PAUSED', epoch = r.epoch + 1, process_id = NULL, deadline_at = NULL, updated_at = v_now,
         active_ms = r.active_ms + greatest(0, extract(epoch FROM v_now - r.claimed_at) * 1000)::bigint,
         event_seq = r.event_seq + v_listen::integer
   WHERE r.organization_id = v_org AND r.id = v_id AND r.epoch = v_epoch AND r.status = 'EXECUTING'
  RETURNING r.* INTO v_run;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO run_nodes (organization_id, run_id, node_key, epoch, record)
  SELECT v_org, v_id, n.node_key, v_epoch, n.record::json
    FROM ROWS FROM (jsonb_array_elements_text(p_pause->'node_keys'), unnest(p_records)) AS n(node_key, record)
  -- What is known of a node that has not ended well gives way to what is known later.
  ON CONFLICT (organization_id, run_id, node_key) DO UPDATE SET record = EXCLUDED.record, epoch = EXCLUDED.epoch
   WHERE substring(left(run_nodes.record::text, 1000) FROM '"status":"([A-Z_]+)"') <> 'COMPLETED';
  -- Those are over: their records were just kept.
  UPDATE run_waits w SET answered_at = v_now,
         answer = CASE w.kind WHEN 'wait' THEN json_build_object('waitedUntil', iso(w.due_at)) ELSE '{}'::json END
   WHERE w.organization_id = v_org AND w.run_id = v_id AND w.answered_at IS NULL
     AND NOT EXISTS (SELECT FROM jsonb_to_recordset(p_pause->'waits') AS o(node_key text, attempt integer) WHERE o.node_key = w.node_key AND o.attempt = w.attempt);
  IF v_listen THEN
    SELECT json_agg(json_strip_nulls(json_build_object('nodeKey', w.node_key, 'nodeId', w.node_id, 'kind', w.kind, 'message', w.message, 'dueAt', iso(w.due_at)))
                    ORDER BY w.created_at, w.node_key)
      INTO v_waits FROM run_waits w JOIN jsonb_to_recordset(p_pause->'waits') AS o(node_key text, attempt integer) USING (node_key, attempt)
     WHERE w.organization_id = v_org AND w.run_id = v_id AND w.kind <> 'container';
    INSERT INTO event_batches (organization_id, created_at, run_events)
    VALUES (v_org, v_now, ARRAY[run_event_of(v_run, 'run.paused', v_run.event_seq, json_build_object('waits', v_waits))]);
  END IF;
  IF EXISTS (SELECT FROM run_waits w JOIN jsonb_to_recordset(p_pause->'waits') AS o(node_key text, attempt integer) USING (node_key, attempt)
              WHERE w.organization_id = v_org AND w.run_id = v_id AND w.answered_at IS NOT NULL) THEN
    UPDATE runs r SET status = 'WAITING', stage = 'queued', priority = 1, event_seq = r.event_seq + v_listen::integer
     WHERE r.organization_id = v_org AND r.id = v_id RETURNING r.* INTO v_run;
    IF v_listen THEN
      INSERT INTO event_batches (organization_id, created_at, run_events)
      VALUES (v_org, v_now, ARRAY[run_event_of(v_run, 'run.resumed', v_run.event_seq, NULL)]);
    END IF;
  END IF;
  RETURN true;
END $$;
