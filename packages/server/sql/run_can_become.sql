-- The moves of a run between its statuses: exactly `runTransitions` of domain/run-status.ts (a test compares the two).
-- Enforced by a trigger on `runs`, which asks only where the status changes.
CREATE OR REPLACE FUNCTION run_can_become(p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_from
    WHEN 'EXECUTING' THEN true -- back, to a pause, or to any end
    WHEN 'WAITING'   THEN p_to IN ('EXECUTING', 'CANCELED')
    WHEN 'PAUSED'    THEN p_to IN ('WAITING', 'CANCELED')
    ELSE false -- an end is an end
  END
$$;
