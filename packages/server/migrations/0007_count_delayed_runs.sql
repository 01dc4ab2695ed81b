-- Delayed runs wait as queued ones do: both together are bounded by the queue limit. The function is that of 0003 with the
-- delayed runs counted; its signature is the same, so processes of both releases call it.

-- Takes in a batch of triggers of one organization: idempotency, credits, slot or queue, run rows, events.
-- Every array has one element per trigger, in order of arrival. `p_again`: the batch may have been committed
-- already by a connection that was lost; what is there is reported, the rest is done.
CREATE OR REPLACE FUNCTION admit_runs(
  p_org text, p_process uuid, p_claim integer, p_queue_known integer, p_again boolean,
  p_ids text[], p_flow_ids text[], p_versions text[], p_delays_ms bigint[], p_max_attempts integer[], p_max_durations_ms bigint[],
  p_sources text[], p_tags text[], p_tests boolean[], p_credits integer[], p_depths integer[], p_scopes text[], p_key_hashes bytea[],
  p_data text[], p_inputs text[], p_triggers text[]
) RETURNS TABLE (ordinal integer, outcome text, winner text, queue_size integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now      timestamptz := millrace_now();
  v_org      organizations;
  v_outcomes text[] := '{}';
  v_made     boolean[] := '{}';
  v_known    boolean;
  v_winners  text[];
  v_earlier  integer;
  v_free     integer;
  v_room     integer;
  v_queue    integer := p_queue_known;
  v_balance  bigint;
  v_listen   boolean;
BEGIN
  SELECT * INTO v_org FROM organizations WHERE id = p_org FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  v_listen := EXISTS (SELECT FROM event_endpoints WHERE organization_id = p_org AND enabled);
  -- Whoever waits already goes first.
  -- In the order of the index: without it a long queue makes a walk over the table look cheaper.
  IF (SELECT true FROM runs WHERE organization_id = p_org AND status = 'WAITING' AND stage = 'queued' ORDER BY priority DESC, id LIMIT 1) THEN
    PERFORM give_slots(v_org, NULL, 0);
  END IF;

  v_winners := p_ids;
  IF array_remove(p_key_hashes, NULL) <> '{}' THEN
    INSERT INTO idempotency_keys (organization_id, scope, key_hash, run_id)
    SELECT p_org, k.scope, k.hash, k.id FROM unnest(p_scopes, p_key_hashes, p_ids) AS k(scope, hash, id) WHERE k.hash IS NOT NULL
    ON CONFLICT DO NOTHING;
    SELECT array_agg(coalesce(known.run_id, asked.id) ORDER BY asked.at) INTO v_winners
      FROM unnest(p_scopes, p_key_hashes, p_ids) WITH ORDINALITY AS asked(scope, hash, id, at)
      LEFT JOIN idempotency_keys known ON known.organization_id = p_org AND known.scope = asked.scope AND known.key_hash = asked.hash;
  END IF;

  SELECT v_org.concurrency_limit - count(*) INTO v_free FROM runs WHERE organization_id = p_org AND holds_slot;
  -- Counting a long queue costs time: the caller's own count will do until the limit comes near.
  IF (v_free < cardinality(p_ids) OR 0 < ANY (p_delays_ms)) AND (v_queue IS NULL OR v_queue + cardinality(p_ids) > v_org.queue_limit - 1000) THEN
    SELECT count(*) INTO v_queue FROM
      (SELECT FROM runs WHERE organization_id = p_org AND status = 'WAITING' AND stage <> 'admitted' LIMIT v_org.queue_limit) AS waiting;
  END IF;
  v_room := v_org.queue_limit - coalesce(v_queue, 0);
  IF v_org.credits_limited THEN
    SELECT coalesce(sum(amount), 0) INTO v_balance FROM credit_entries WHERE organization_id = p_org;
  END IF;

  FOR i IN 1 .. cardinality(p_ids) LOOP
    -- Two steps: a query inside a condition is carried out even where the rest of it says no.
    v_known := false;
    IF p_again THEN v_known := EXISTS (SELECT FROM runs WHERE organization_id = p_org AND id = p_ids[i]); END IF;
    IF v_known THEN
      v_outcomes[i] := 'known';
    ELSIF v_winners[i] <> p_ids[i] THEN
      v_earlier := array_position(p_ids, v_winners[i]);
      v_outcomes[i] := CASE WHEN v_outcomes[v_earlier] IN ('no_credits', 'queue_full') THEN v_outcomes[v_earlier] ELSE 'replayed' END;
    ELSIF v_balance < p_credits[i] THEN
      v_outcomes[i] := 'no_credits';
    ELSIF p_delays_ms[i] > 0 AND v_room > 0 THEN
      v_outcomes[i] := 'delayed';
      v_room := v_room - 1;
      v_queue := v_queue + 1;
    ELSIF p_delays_ms[i] > 0 THEN
      v_outcomes[i] := 'queue_full';
    ELSIF v_free > 0 AND p_claim > 0 THEN
      v_outcomes[i] := 'claimed';
      v_free := v_free - 1;
      p_claim := p_claim - 1;
    ELSIF v_free > 0 THEN
      v_outcomes[i] := 'admitted';
      v_free := v_free - 1;
    ELSIF v_room > 0 THEN
      v_outcomes[i] := 'queued';
      v_room := v_room - 1;
      v_queue := v_queue + 1;
    ELSE
      v_outcomes[i] := 'queue_full';
    END IF;
    v_made[i] := v_outcomes[i] IN ('delayed', 'claimed', 'admitted', 'queued');
    IF v_made[i] THEN v_balance := v_balance - p_credits[i]; END IF;
  END LOOP;

  -- A refused trigger stores nothing: its key may be used again.
  IF v_outcomes && ARRAY['no_credits', 'queue_full'] THEN
    DELETE FROM idempotency_keys k USING unnest(p_ids, v_outcomes) AS o(id, outcome)
     WHERE k.organization_id = p_org AND k.run_id = o.id AND o.outcome IN ('no_credits', 'queue_full');
  END IF;

  -- Arrays, because PostgreSQL takes three times as long to take JSON apart; one statement a table, because most triggers
  -- need only the first two, and preparing to write into a table costs even where nothing is written.
  INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, epoch, process_id, max_attempts, due_at,
                    max_duration_ms, claimed_at, started_at, deadline_at, trigger_source, tags, is_test, credits, depth, event_seq, updated_at)
  SELECT p_org, a.id, a.flow_id, a.version, CASE WHEN a.outcome = 'claimed' THEN 'EXECUTING' ELSE 'WAITING' END,
         CASE a.outcome WHEN 'delayed' THEN 'delayed' WHEN 'queued' THEN 'queued' ELSE 'admitted' END,
         a.outcome = 'queued', (a.outcome = 'claimed')::integer, CASE WHEN a.outcome = 'claimed' THEN p_process END, a.max_attempts,
         CASE WHEN a.outcome = 'delayed' THEN v_now + a.delay_ms * interval '1 millisecond' END,
         a.max_duration_ms, CASE WHEN a.outcome = 'claimed' THEN v_now END, CASE WHEN a.outcome = 'claimed' THEN v_now END,
         CASE WHEN a.outcome = 'claimed' THEN v_now + a.max_duration_ms * interval '1 millisecond' END,
         a.trigger_source, coalesce(a.tags, '{}')::text[], a.is_test, CASE WHEN v_org.credits_limited THEN a.credits ELSE 0 END, a.depth,
         CASE WHEN v_listen THEN 1 + (a.outcome IN ('queued', 'claimed'))::integer ELSE 0 END, v_now
    FROM unnest(p_ids, v_outcomes, v_made, p_flow_ids, p_versions, p_delays_ms, p_max_attempts, p_max_durations_ms, p_sources, p_tags,
                p_tests, p_credits, p_depths)
         AS a(id, outcome, made, flow_id, version, delay_ms, max_attempts, max_duration_ms, trigger_source, tags, is_test, credits, depth)
   WHERE a.made;
  INSERT INTO run_payloads (organization_id, run_id, data, inputs, trigger)
  SELECT p_org, a.id, a.data::json, a.inputs::json, a.trigger::json
    FROM unnest(p_ids, v_made, p_data, p_inputs, p_triggers) AS a(id, made, data, inputs, trigger)
   WHERE a.made AND (a.data IS NOT NULL OR a.inputs IS NOT NULL OR a.trigger IS NOT NULL);
  IF array_remove(p_tags, NULL) <> '{}' THEN
    INSERT INTO run_tags (organization_id, tag, status, run_id)
    SELECT p_org, t.tag, CASE WHEN a.outcome = 'claimed' THEN 'EXECUTING' ELSE 'WAITING' END, a.id
      FROM unnest(p_ids, v_outcomes, v_made, p_tags) AS a(id, outcome, made, tags) CROSS JOIN unnest(a.tags::text[]) AS t(tag) WHERE a.made;
  END IF;
  IF v_org.credits_limited THEN
    INSERT INTO credit_entries (organization_id, id, kind, amount, run_id, created_at)
    SELECT p_org, 'reserve_' || a.id, 'reserve', -a.credits, a.id, v_now FROM unnest(p_ids, v_made, p_credits) AS a(id, made, credits) WHERE a.made;
  END IF;
  IF v_listen THEN
    INSERT INTO event_batches (organization_id, created_at, run_events)
    SELECT p_org, v_now, array_agg(t.event) FROM (
      WITH made AS (
        SELECT a.id, a.outcome, a.flow_id, a.version, a.trigger_source, coalesce(a.tags, '{}')::text[] AS tags, a.is_test
          FROM unnest(p_ids, v_outcomes, v_made, p_flow_ids, p_versions, p_sources, p_tags, p_tests)
               AS a(id, outcome, made, flow_id, version, trigger_source, tags, is_test)
         WHERE a.made
      )
      SELECT ROW('run.created', m.id, 1, m.flow_id, m.version, 'WAITING', m.trigger_source, m.tags, m.is_test, 1,
                 NULL, NULL, NULL, NULL, NULL)::run_event AS event
        FROM made m
      UNION ALL
      SELECT ROW('queue.item_created', m.id, 2, m.flow_id, NULL, 'waiting', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)::run_event
        FROM made m WHERE m.outcome = 'queued'
      UNION ALL
      SELECT ROW('run.started', m.id, 2, m.flow_id, m.version, 'EXECUTING', m.trigger_source, m.tags, m.is_test, 1,
                 NULL, v_now, NULL, NULL, NULL)::run_event
        FROM made m WHERE m.outcome = 'claimed'
    ) AS t HAVING count(*) > 0;
  END IF;

  RETURN QUERY SELECT o.at::integer, o.outcome, o.winner, v_queue FROM unnest(v_outcomes, v_winners) WITH ORDINALITY AS o(outcome, winner, at);
END $$;
