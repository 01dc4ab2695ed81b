-- Makes a run that goes on from what an ended one has done, and with it the runs of its sub-flows that do the same: one call,
-- so that there is all of it or nothing. What is copied is copied before the organization is locked.
-- p_fork: organization_id, process_id, again (it may have been committed already by a connection that was lost) and forks, the run
-- itself first, each with run (a `new_run`), from_run_id, from_node_key, keep (node keys whose records are copied as they are),
-- reopen (containers that are entered again over the items they had), records (node_key, text: instead of copied ones), data,
-- inputs and trigger (JSON, where they are replaced) and waits: what nodes have begun already (node_key, node_id, kind, run_id,
-- timeout_ms, on_parent_end), kind being `forked` (the run is in forks), `done` (the run has completed) or `left`.
-- Outcomes are those of admit_triggers, and `gone`: a run to fork is no more.
CREATE OR REPLACE FUNCTION fork_runs(p_fork json) RETURNS TABLE (outcome text, winner text)
LANGUAGE plpgsql AS $$
DECLARE
  v_org      text := p_fork->>'organization_id';
  v_new      text := p_fork->'forks'->0->'run'->>'id';
  v_now      timestamptz := millrace_now();
  v_now_ms   text := (extract(epoch FROM v_now) * 1000)::float8::text;
  -- Rows are named by arrays: of a list in JSON PostgreSQL expects so many elements that it walks over all runs instead.
  v_from     text[] := ARRAY(SELECT DISTINCT f->>'from_run_id' FROM json_array_elements(p_fork->'forks') AS f);
  v_made     text[] := ARRAY(SELECT f->'run'->>'id' FROM json_array_elements(p_fork->'forks') AS f);
  v_held     integer;
  v_fork     json;
  v_children run_batch;
  v_credits  bigint;
  v_limited  boolean;
BEGIN
  IF (p_fork->>'again')::boolean AND EXISTS (SELECT FROM runs r WHERE r.organization_id = v_org AND r.id = v_new) THEN
    RETURN QUERY SELECT 'known', v_new;
    RETURN;
  END IF;
  -- Held, so that nobody forgets them meanwhile.
  PERFORM FROM runs r WHERE r.organization_id = v_org AND r.completed_at IS NOT NULL AND r.id = ANY (v_from) ORDER BY r.id FOR KEY SHARE;
  GET DIAGNOSTICS v_held = ROW_COUNT;
  IF v_held < cardinality(v_from) THEN
    RETURN QUERY SELECT 'gone', NULL::text;
    RETURN;
  END IF;

  BEGIN
    FOR v_fork IN SELECT f FROM json_array_elements(p_fork->'forks') AS f LOOP
      INSERT INTO run_nodes (organization_id, run_id, node_key, epoch, record)
      SELECT v_org, v_fork->'run'->>'id', r.node_key, 0, r.record
        FROM run_records(v_org, v_fork->>'from_run_id') r
       WHERE r.node_key IN (SELECT json_array_elements_text(v_fork->'keep'))
      ON CONFLICT DO NOTHING;
      -- As the engine writes what is known of a loop that has not ended.
      INSERT INTO run_nodes (organization_id, run_id, node_key, epoch, record)
      SELECT v_org, v_fork->'run'->>'id', r.node_key, 0,
             ('{"nodeKey":' || to_json(r.node_key) || ',"nodeId":' || (r.record->'nodeId')::text || ',"type":' || (r.record->'type')::text
              || ',"status":"EXECUTING","startedAt":' || v_now_ms || ',"endedAt":' || v_now_ms || ',"attempts":1,"input":'
              || coalesce((r.record->'input')::text, '{}') || ',"log":[]}')::json
        FROM run_records(v_org, v_fork->>'from_run_id') r
       WHERE r.node_key IN (SELECT json_array_elements_text(v_fork->'reopen'))
      ON CONFLICT DO NOTHING;
      INSERT INTO run_nodes (organization_id, run_id, node_key, epoch, record)
      SELECT v_org, v_fork->'run'->>'id', n.node_key, 0, n.text::json FROM json_to_recordset(v_fork->'records') AS n(node_key text, text text);
    END LOOP;

    SELECT o.credits_limited INTO v_limited FROM organizations o WHERE o.id = v_org FOR NO KEY UPDATE;
    SELECT sum((f->'run'->>'credits')::bigint) INTO v_credits FROM json_array_elements(p_fork->'forks') AS f;
    IF v_limited AND v_credits > (SELECT coalesce(sum(c.amount), 0) FROM credit_entries c WHERE c.organization_id = v_org) THEN
      outcome := 'no_credits';
      winner := v_new;
    ELSE
      v_fork := p_fork->'forks'->0;
      SELECT a.outcome, a.winner INTO outcome, winner FROM admit_triggers(
        jsonb_build_object('organization_id', v_org, 'process_id', p_fork->>'process_id', 'claim', 0, 'again', false, 'runs', jsonb_build_array(v_fork->'run')),
        ARRAY[coalesce(v_fork->>'data', (SELECT p.data::text FROM run_payloads p WHERE p.organization_id = v_org AND p.run_id = v_fork->>'from_run_id'))],
        ARRAY[coalesce(v_fork->>'inputs', (SELECT p.inputs::text FROM run_payloads p WHERE p.organization_id = v_org AND p.run_id = v_fork->>'from_run_id'))],
        ARRAY[coalesce(v_fork->>'trigger', (SELECT p.trigger::text FROM run_payloads p WHERE p.organization_id = v_org AND p.run_id = v_fork->>'from_run_id'))]) AS a;
    END IF;
    IF outcome NOT IN ('admitted', 'queued') THEN RAISE EXCEPTION SQLSTATE 'MR001'; END IF;
  EXCEPTION WHEN SQLSTATE 'MR001' THEN
    -- Nothing is left of what was copied; the outcome says why.
    RETURN NEXT;
    RETURN;
  END;

  -- Sub-flows stand at the head of the queue, as where a node starts them.
  IF cardinality(v_made) > 1 THEN
    SELECT v_org, NULL, array_agg(json_populate_record(json_populate_record(NULL::new_run, f.value->'run'), '{"place":"queued"}') ORDER BY f.at),
         array_agg(p.data::text ORDER BY f.at), array_agg(p.inputs::text ORDER BY f.at), array_agg(p.trigger::text ORDER BY f.at)
    INTO v_children
    FROM json_array_elements(p_fork->'forks') WITH ORDINALITY AS f(value, at)
    LEFT JOIN run_payloads p ON p.organization_id = v_org AND p.run_id = f.value->>'from_run_id'
   WHERE f.at > 1;
    PERFORM insert_runs(v_children);
  END IF;
  -- Whoever claims one looks for what is known of it, because it is not the first.
  UPDATE runs r SET epoch = 1 WHERE r.organization_id = v_org AND r.id = ANY (v_made);
  INSERT INTO run_forks (organization_id, run_id, from_run_id, from_node_key)
  SELECT v_org, f->'run'->>'id', f->>'from_run_id', f->>'from_node_key' FROM json_array_elements(p_fork->'forks') AS f;
  INSERT INTO run_waits (organization_id, run_id, node_key, attempt, node_id, kind, due_at, expires_at, child_run_id, on_parent_end, answer, answered_at, created_at)
  SELECT v_org, f->'run'->>'id', w.node_key, 1, w.node_id, 'run-flow', e.expires_at, e.expires_at, w.run_id, coalesce(w.on_parent_end, 'cancel'),
         CASE w.kind WHEN 'left' THEN json_build_object('runId', w.run_id, 'status', 'WAITING')
                     WHEN 'done' THEN json_build_object('runId', w.run_id, 'status', 'COMPLETED', 'output', (
                                             SELECT o.output FROM run_results o WHERE o.organization_id = v_org AND o.run_id = w.run_id), 'error', NULL) END,
         CASE WHEN w.kind <> 'forked' THEN v_now END, v_now
    FROM json_array_elements(p_fork->'forks') AS f
   CROSS JOIN LATERAL json_to_recordset(f->'waits') AS w(node_key text, node_id text, kind text, run_id text, timeout_ms double precision, on_parent_end text)
   CROSS JOIN LATERAL (SELECT CASE WHEN w.kind = 'forked' THEN v_now + w.timeout_ms * interval '1 millisecond' END AS expires_at) AS e;
  RETURN NEXT;
END $$;
