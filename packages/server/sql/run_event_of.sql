-- The one maker of run events: what an event of type `p_type` tells about the run, under number `p_seq`.
-- `p_more` names what the run's row does not know: `error`, `waits`. A new field is a line here, in the order of the
-- type `run_event`; statements of the release before get it too, because PostgreSQL puts this in their place.
CREATE OR REPLACE FUNCTION run_event_of(p_run runs, p_type text, p_seq integer, p_more json) RETURNS run_event LANGUAGE sql STABLE AS $$
  SELECT ROW(
    p_type,
    p_run.id,
    p_seq,
    p_run.flow_id,
    p_run.version,
    CASE p_type
      WHEN 'run.created' THEN 'WAITING' -- even where it is born claimed
      WHEN 'queue.item_created' THEN 'waiting'
      WHEN 'queue.item_dispatched' THEN 'dispatched'
      WHEN 'queue.item_canceled' THEN 'canceled'
      ELSE p_run.status
    END,
    p_run.trigger_source,
    p_run.tags,
    p_run.is_test,
    p_run.attempt,
    p_run.parent_run_id,
    CASE p_type WHEN 'run.created' THEN NULL ELSE p_run.started_at END,
    p_run.completed_at,
    p_more->'error',
    p_more->'waits'
  )::run_event
$$;
