-- Runs that go on from what another one has done. Their copied records have the epoch 0 in run_nodes: they cost nothing.
CREATE TABLE run_forks (
  organization_id text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  from_run_id     text COLLATE "C" NOT NULL,
  from_node_key   text NOT NULL,
  PRIMARY KEY (organization_id, run_id)
);
CREATE INDEX run_forks_of_a_run ON run_forks (organization_id, from_run_id, run_id);
