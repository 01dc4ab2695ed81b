-- Takes in a batch of triggers of one organization: idempotency, credits, slot or queue, runs, events.
-- p_batch: organization_id, process_id, claim (how many runs the process would begin), queue_known (the length of the queue if the
-- caller knows it), again (the batch may have been committed already by a connection that was lost: what is there is reported, the
-- rest is done), runs, in order of arrival, each a `new_run`, and common: what all of them say, once. What the runs were given is
-- apart: it may be large.
CREATE OR REPLACE FUNCTION admit_triggers(p_batch jsonb, p_data text[], p_inputs text[], p_triggers text[])
RETURNS TABLE (ordinal integer, outcome text, winner text, queue_size integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_org      organizations;
  v_runs     new_run[];
  v_run      new_run;
  -- What all have in common. Most are begun at once; others are given their places one by one.
  v_common   new_run := jsonb_populate_record(NULL::new_run, p_batch->'common');
  v_made     run_batch;
  v_ids      text[];
  v_keyed    boolean;
  v_delayed  boolean;
  v_again    boolean := (p_batch->>'again')::boolean;
  v_claim    integer := (p_batch->>'claim')::integer;
  v_queue    integer := (p_batch->>'queue_known')::integer;
  v_outcomes text[] := '{}';
  v_winners  text[];
  v_earlier  integer;
  v_known    boolean;
  v_free     integer;
  v_room     integer;
  v_balance  bigint;
BEGIN
  SELECT * INTO v_org FROM organizations WHERE id = p_batch->>'organization_id' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  -- Whoever waits already goes first.
  -- In the order of the index: without it a long queue makes a walk over the table look cheaper.
  IF (SELECT true FROM runs WHERE organization_id = v_org.id AND status = 'WAITING' AND stage = 'queued' ORDER BY priority DESC, id LIMIT 1) THEN
    PERFORM give_slots(v_org, NULL, 0);
  END IF;

  v_common.place := 'claimed';
  SELECT array_agg(n), array_agg(n.id), bool_or(n.key_hash IS NOT NULL), bool_or(n.delay_ms IS NOT NULL)
    INTO v_runs, v_ids, v_keyed, v_delayed FROM jsonb_populate_recordset(v_common, p_batch->'runs') AS n;
  v_winners := v_ids;
  IF v_keyed THEN
    INSERT INTO idempotency_keys (organization_id, scope, key_hash, run_id)
    SELECT v_org.id, n.key_scope, n.key_hash, n.id FROM unnest(v_runs) AS n WHERE n.key_hash IS NOT NULL
    ON CONFLICT DO NOTHING;
    SELECT array_agg(coalesce(known.run_id, asked.id) ORDER BY asked.ordinality) INTO v_winners
      FROM unnest(v_runs) WITH ORDINALITY AS asked
      LEFT JOIN idempotency_keys known
        ON known.organization_id = v_org.id AND known.scope = asked.key_scope AND known.key_hash = asked.key_hash;
  END IF;

  SELECT CASE WHEN v_org.suspended THEN 0 ELSE v_org.concurrency_limit - count(*) END INTO v_free FROM runs WHERE organization_id = v_org.id AND holds_slot;
  -- Counting a long queue costs time: the caller's own count will do until the limit comes near.
  IF (v_free < cardinality(v_ids) OR v_delayed) AND (v_queue IS NULL OR v_queue + cardinality(v_ids) > v_org.queue_limit - 1000) THEN
    SELECT count(*) INTO v_queue FROM
      (SELECT FROM runs WHERE organization_id = v_org.id AND status = 'WAITING' AND stage <> 'admitted' LIMIT v_org.queue_limit) AS waiting;
  END IF;
  v_room := v_org.queue_limit - coalesce(v_queue, 0);
  IF v_org.credits_limited THEN
    SELECT coalesce(sum(amount), 0) INTO v_balance FROM credit_entries WHERE organization_id = v_org.id;
  END IF;

  IF NOT (v_keyed OR v_delayed OR v_again OR v_org.credits_limited) AND least(v_free, v_claim) >= cardinality(v_ids) THEN
    v_outcomes := array_fill('claimed'::text, ARRAY[cardinality(v_ids)]);
  ELSE FOR i IN 1 .. cardinality(v_ids) LOOP
    v_run := v_runs[i];
    -- Two steps: a query inside a condition is carried out even where the rest of it says no.
    v_known := false;
    IF v_again THEN v_known := EXISTS (SELECT FROM runs WHERE organization_id = v_org.id AND id = v_run.id); END IF;
    IF v_known THEN
      v_outcomes[i] := 'known';
    ELSIF v_winners[i] <> v_run.id THEN
      v_earlier := array_position(v_ids, v_winners[i]);
      v_outcomes[i] := CASE WHEN v_outcomes[v_earlier] IN ('no_credits', 'queue_full') THEN v_outcomes[v_earlier] ELSE 'replayed' END;
    ELSIF v_balance < v_run.credits THEN
      v_outcomes[i] := 'no_credits';
    ELSIF v_run.delay_ms > 0 AND v_room > 0 THEN
      v_outcomes[i] := 'delayed';
      v_room := v_room - 1;
      v_queue := v_queue + 1;
    ELSIF v_run.delay_ms > 0 THEN
      v_outcomes[i] := 'queue_full';
    ELSIF v_free > 0 AND v_claim > 0 THEN
      v_outcomes[i] := 'claimed';
      v_free := v_free - 1;
      v_claim := v_claim - 1;
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
    IF v_outcomes[i] IN ('delayed', 'claimed', 'admitted', 'queued') THEN
      v_runs[i].place := v_outcomes[i];
      v_balance := v_balance - v_run.credits;
    ELSE
      v_runs[i].place := NULL;
    END IF;
  END LOOP; END IF;

  -- A refused trigger stores nothing: its key may be used again.
  IF v_outcomes && ARRAY['no_credits', 'queue_full'] THEN
    DELETE FROM idempotency_keys k USING unnest(v_ids, v_outcomes) AS o(id, outcome)
     WHERE k.organization_id = v_org.id AND k.run_id = o.id AND o.outcome IN ('no_credits', 'queue_full');
  END IF;
  v_made.organization_id := v_org.id;
  v_made.process_id := p_batch->>'process_id';
  v_made.runs := v_runs;
  v_made.data := p_data;
  v_made.inputs := p_inputs;
  v_made.triggers := p_triggers;
  PERFORM insert_runs(v_made);

  RETURN QUERY SELECT o.at::integer, o.outcome, o.winner, v_queue FROM unnest(v_outcomes, v_winners) WITH ORDINALITY AS o(outcome, winner, at);
END $$;
