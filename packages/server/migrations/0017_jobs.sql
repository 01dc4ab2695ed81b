-- Work on many runs that somebody asked for: cancel, retry or fork all that a filter found, then and there.
CREATE TABLE jobs (
  organization_id text NOT NULL,
  id              text COLLATE "C" NOT NULL,
  action          text NOT NULL CHECK (action IN ('cancel', 'retry', 'fork')),
  status          text NOT NULL CHECK (status IN ('running', 'stopped', 'completed')),
  -- As it was asked for; `fork` is what each fork is asked for with.
  filter          json NOT NULL,
  fork            json,
  -- Why it was stopped, where nobody has stopped it.
  reason          text,
  created_by      text NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  updated_at      timestamptz NOT NULL,
  completed_at    timestamptz,
  -- The process that works on it; another one takes over when the lease is over.
  process_id      uuid,
  lease_until     timestamptz,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT completed_jobs_say_when CHECK ((status = 'completed') = (completed_at IS NOT NULL))
);
CREATE INDEX jobs_running ON jobs (updated_at) WHERE status = 'running';

-- Its runs, and what became of each.
CREATE TABLE job_runs (
  organization_id text NOT NULL,
  job_id          text COLLATE "C" NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  state           text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'skipped', 'failed')),
  -- The fork that was made, or why there is none.
  new_run_id      text COLLATE "C",
  message         text,
  PRIMARY KEY (organization_id, job_id, run_id)
);
CREATE INDEX job_runs_pending ON job_runs (organization_id, job_id, run_id) WHERE state = 'pending';
