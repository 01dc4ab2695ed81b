-- Delivery of events to the endpoints that asked for them.

ALTER TABLE event_endpoints
  -- While a secret rotates the old one signs too.
  ADD COLUMN previous_secret_ciphertext text,
  ADD COLUMN previous_secret_until timestamptz,
  ADD COLUMN disabled_at timestamptz,
  ADD COLUMN disabled_reason text;

CREATE FUNCTION event_matches(p_patterns text[], p_type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT p_patterns && ARRAY['*', split_part(p_type, '.', 1) || '.*', p_type] $$;

CREATE SEQUENCE event_positions;

-- Gives committed batches their place in the log. One process at a time: a position is visible only after all before it.
CREATE FUNCTION place_events(p_most integer) RETURNS integer LANGUAGE plpgsql AS $$
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

-- How far an endpoint has come in the log, and who delivers to it. Health is part of it.
CREATE TABLE event_feeds (
  organization_id text NOT NULL,
  endpoint_id     text NOT NULL,
  -- Everything up to here was tried once. What was tried beyond it is known from event_deliveries.
  position        bigint NOT NULL,
  held_by         uuid,
  held_until      timestamptz,
  delivered       bigint NOT NULL DEFAULT 0,
  failures_in_row integer NOT NULL DEFAULT 0,
  failing_since   timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure    text,
  PRIMARY KEY (organization_id, endpoint_id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES event_endpoints ON DELETE CASCADE,
  CONSTRAINT leases_end CHECK ((held_by IS NULL) = (held_until IS NULL))
) WITH (fillfactor = 50);

-- What became of each event at each endpoint, once it was tried or asked for again.
CREATE TABLE event_deliveries (
  organization_id text NOT NULL,
  endpoint_id     text NOT NULL,
  event_id        text NOT NULL,
  state           text NOT NULL CHECK (state IN ('delivered', 'retrying', 'failed')),
  attempts        integer NOT NULL,
  next_at         timestamptz,
  last_at         timestamptz,
  last_status     integer,
  last_failure    text,
  last_ms         integer,
  -- The event itself, for as long as it has to be sent again.
  event           json,
  created_at      timestamptz NOT NULL DEFAULT millrace_now(),
  PRIMARY KEY (organization_id, endpoint_id, event_id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES event_endpoints ON DELETE CASCADE,
  CONSTRAINT retries_know_when_and_what CHECK ((state = 'retrying') = (next_at IS NOT NULL AND event IS NOT NULL))
);
CREATE INDEX event_deliveries_due ON event_deliveries (organization_id, endpoint_id, next_at) WHERE state = 'retrying';
CREATE INDEX event_deliveries_next ON event_deliveries (next_at) WHERE state = 'retrying';
CREATE INDEX event_deliveries_by_time ON event_deliveries USING brin (created_at) WITH (autosummarize = on);
