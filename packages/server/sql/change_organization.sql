-- Trigger, at the commit: an organization becomes what `apply` says. What is NULL stays as it is.
CREATE OR REPLACE FUNCTION change_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE organizations o SET
    name = NEW.name,
    suspended = coalesce(NEW.suspended, o.suspended),
    concurrency_limit = coalesce(NEW.concurrency_limit, o.concurrency_limit),
    queue_limit = coalesce(NEW.queue_limit, o.queue_limit),
    requests_per_minute = coalesce(NEW.requests_per_minute, o.requests_per_minute),
    credits_limited = coalesce(NEW.credits_limited, o.credits_limited),
    values_hidden = coalesce(NEW.values_hidden, o.values_hidden),
    audit_days = coalesce(NEW.audit_days, o.audit_days),
    updated_at = now()
  WHERE o.id = NEW.organization_id;
  DELETE FROM organization_changes WHERE organization_id = NEW.organization_id;
  RETURN NULL;
END $$;
