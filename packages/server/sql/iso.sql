-- A time as JSON shows it.
CREATE OR REPLACE FUNCTION iso(p_time timestamptz) RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT to_char(p_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
