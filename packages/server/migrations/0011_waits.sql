-- A node waits from the moment it is reached, while other branches go on. A wait belongs to one attempt of its node, may be
-- limited by the node's `timeoutSeconds`, and containers have such a limit too. `due_at` is the earlier of the two moments.
ALTER TABLE run_waits
  ADD COLUMN attempt integer NOT NULL DEFAULT 1,
  ADD COLUMN expires_at timestamptz,
  -- What becomes of the child where the run that waits for it ends first.
  ADD COLUMN on_parent_end text NOT NULL DEFAULT 'cancel' CHECK (on_parent_end IN ('cancel', 'leave')),
  -- It was answered by somebody who did not say which wait was meant.
  ADD COLUMN answered_unnamed boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT run_waits_kind_check,
  ADD CONSTRAINT run_waits_kind_check CHECK (kind IN ('wait', 'approval', 'run-flow', 'container')),
  DROP CONSTRAINT run_waits_pkey,
  ADD PRIMARY KEY (organization_id, run_id, node_key, attempt);

-- Runs that nobody waits for any more and that are to be canceled, noted in the statement that ended the wait.
CREATE TABLE run_cancellations (
  organization_id text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, run_id)
);
