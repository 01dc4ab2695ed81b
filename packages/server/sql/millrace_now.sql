-- Time is a parameter: a test sets millrace.now, everybody else gets the clock of the database.
CREATE OR REPLACE FUNCTION millrace_now() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT coalesce(nullif(current_setting('millrace.now', true), '')::timestamptz, clock_timestamp()) $$;
