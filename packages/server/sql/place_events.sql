-- Gives committed batches their place in the log. One process at a time: a position is visible only after all before it.
CREATE OR REPLACE FUNCTION place_events(p_most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_placed integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(4163905502) THEN RETURN 0; END IF;
  -- Placed again if it is lost with the database's last moments; not worth a wait of the disk that others share.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- `number` is drawn after a run's row is locked, so it has the order of the run's events.
  UPDATE event_batches b SET position = p.position
    FROM (SELECT n.organization_id, n.number, nextval('event_positions') AS position FROM (
            SELECT organization_id, number FROM event_batches WHERE position IS NULL ORDER BY number LIMIT p_most) AS n) AS p
   WHERE b.organization_id = p.organization_id AND b.number = p.number;
  GET DIAGNOSTICS v_placed = ROW_COUNT;
  RETURN v_placed;
END $$;
