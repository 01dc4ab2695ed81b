-- Who keeps the document of a flow: files that `apply` brings, or the editor of the console.
ALTER TABLE flows ADD COLUMN managed_by text NOT NULL DEFAULT 'apply' CONSTRAINT flows_managed_by CHECK (managed_by IN ('apply', 'console'));
-- Tests of a flow, as their documents say them. They are run on its draft, and may have to pass before it is published.
CREATE TABLE flow_tests (
  organization_id text NOT NULL,
  flow_id         text NOT NULL,
  id              text NOT NULL,
  document        json NOT NULL,
  author          text,
  updated_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, flow_id, id),
  FOREIGN KEY (organization_id, flow_id) REFERENCES flows ON DELETE CASCADE
);
