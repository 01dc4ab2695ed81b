-- How long the caller of a webhook waits for the flow's own answer; NULL: it is answered at once, as ever.
ALTER TABLE flow_webhooks ADD COLUMN respond_wait_ms integer CHECK (respond_wait_ms > 0);
