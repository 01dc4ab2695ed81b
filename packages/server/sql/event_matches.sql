-- Whether an endpoint that asked for these patterns gets events of this type.
CREATE OR REPLACE FUNCTION event_matches(p_patterns text[], p_type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT p_patterns && ARRAY['*', split_part(p_type, '.', 1) || '.*', p_type] $$;
