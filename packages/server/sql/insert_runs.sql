-- The one place where runs are made, whoever asked for them: rows, what they were given, tags, reserved credits, events.
-- The caller holds the organization's lock and has decided on the place of each.
CREATE OR REPLACE FUNCTION insert_runs(p_batch run_batch) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now    timestamptz := millrace_now();
  v_org    organizations;
  v_listen boolean;
  v_ids    text[];
  v_tagged boolean;
BEGIN
  SELECT array_agg(CASE WHEN n.place IS NOT NULL THEN n.id END), bool_or(n.place IS NOT NULL AND n.tags <> '{}') INTO v_ids, v_tagged
    FROM unnest(p_batch.runs) AS n;
  IF array_remove(v_ids, NULL) = '{}' IS NOT FALSE THEN RETURN; END IF;
  SELECT * INTO v_org FROM organizations WHERE id = p_batch.organization_id;
  v_listen := EXISTS (SELECT FROM event_endpoints WHERE organization_id = v_org.id AND enabled);

  -- One statement a table: most runs need only the first two, and preparing to write into a table costs even where nothing
  -- is written. Children stand at the head of the queue and are no queue items.
  INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, priority, epoch, process_id, max_attempts,
                    due_at, max_duration_ms, claimed_at, started_at, deadline_at, trigger_source, tags, is_test, credits, parent_run_id,
                    parent_node_key, depth, event_seq, variables_version, updated_at)
  SELECT v_org.id, n.id, n.flow_id, n.version, CASE n.place WHEN 'claimed' THEN 'EXECUTING' ELSE 'WAITING' END,
         CASE n.place WHEN 'claimed' THEN 'admitted' ELSE n.place END, n.place = 'queued' AND n.parent_run_id IS NULL,
         (n.parent_run_id IS NOT NULL)::integer, (n.place = 'claimed')::integer, CASE n.place WHEN 'claimed' THEN p_batch.process_id END,
         coalesce(n.max_attempts, 1), CASE n.place WHEN 'delayed' THEN v_now + n.delay_ms * interval '1 millisecond' END, n.max_duration_ms,
         CASE n.place WHEN 'claimed' THEN v_now END, CASE n.place WHEN 'claimed' THEN v_now END,
         CASE n.place WHEN 'claimed' THEN v_now + n.max_duration_ms * interval '1 millisecond' END, n.trigger_source,
         coalesce(n.tags, '{}'), coalesce(n.is_test, false), CASE WHEN v_org.credits_limited THEN n.credits ELSE 0 END, n.parent_run_id, n.parent_node_key,
         coalesce(n.depth, 0), CASE WHEN v_listen THEN 1 + (n.place = 'claimed' OR n.place = 'queued' AND n.parent_run_id IS NULL)::integer ELSE 0 END, v_org.variables_version, v_now
    FROM unnest(p_batch.runs) AS n WHERE n.place IS NOT NULL;
  INSERT INTO run_payloads (organization_id, run_id, data, inputs, trigger)
  SELECT v_org.id, g.id, g.data::json, g.inputs::json, g.trigger::json
    FROM unnest(v_ids, p_batch.data, p_batch.inputs, p_batch.triggers) AS g(id, data, inputs, trigger)
   WHERE g.id IS NOT NULL AND (g.data IS NOT NULL OR g.inputs IS NOT NULL OR g.trigger IS NOT NULL);
  IF v_tagged THEN
    INSERT INTO run_tags (organization_id, tag, status, run_id)
    SELECT v_org.id, t.tag, CASE n.place WHEN 'claimed' THEN 'EXECUTING' ELSE 'WAITING' END, n.id
      FROM unnest(p_batch.runs) AS n CROSS JOIN unnest(n.tags) AS t(tag) WHERE n.place IS NOT NULL;
  END IF;
  IF v_org.credits_limited THEN
    INSERT INTO credit_entries (organization_id, id, kind, amount, run_id, created_at)
    SELECT v_org.id, 'reserve_' || n.id, 'reserve', -n.credits, n.id, v_now FROM unnest(p_batch.runs) AS n WHERE n.place IS NOT NULL;
  END IF;
  IF v_listen THEN
    INSERT INTO event_batches (organization_id, created_at, run_events)
    SELECT v_org.id, v_now, array_cat(
             array_agg(run_event_of(r, 'run.created', 1, NULL)),
             array_agg(run_event_of(r, CASE WHEN r.answered_queued THEN 'queue.item_created' ELSE 'run.started' END, 2, NULL))
               FILTER (WHERE r.event_seq = 2))
      FROM runs r WHERE r.organization_id = v_org.id AND r.id = ANY (v_ids);
  END IF;
END $$;
