-- Trigger: an audit entry is never changed, and deleted only after the time for which its organization keeps them.
CREATE OR REPLACE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.created_at < millrace_now() - make_interval(days => coalesce(
         (SELECT o.audit_days FROM organizations o WHERE o.id = OLD.organization_id), 400)) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit entries are only added' USING ERRCODE = 'check_violation';
END $$;
