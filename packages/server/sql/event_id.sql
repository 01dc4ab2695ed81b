-- The id of an event follows from its run and number: writing it again is the same event.
CREATE OR REPLACE FUNCTION event_id(p_run text, p_seq integer) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT 'evt_' || substr(p_run, 5) || lpad(p_seq::text, 6, '0') $$;
