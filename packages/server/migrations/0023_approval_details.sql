-- What whoever answers an approval needs to know beside its message: `assignees`, `form`. NULL: nothing.
ALTER TABLE run_waits
  ADD COLUMN details json,
  -- When the node's `notify` was sent.
  ADD COLUMN notified_at timestamptz;
