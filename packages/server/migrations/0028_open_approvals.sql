-- What runs of an organization ask people right now, among all that they wait for.
CREATE INDEX run_waits_asked ON run_waits (organization_id) WHERE kind = 'approval' AND answered_at IS NULL;
