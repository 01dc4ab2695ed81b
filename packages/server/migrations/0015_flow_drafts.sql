-- A flow may have a draft beside the version in force, or nothing but a draft: then it has no version yet.
ALTER TABLE flows ALTER COLUMN version DROP NOT NULL;
-- Rises with the draft and with the version in force: whoever saves a draft says which one was read.
ALTER TABLE flows ADD COLUMN draft_revision integer NOT NULL DEFAULT 0;
CREATE TABLE flow_drafts (
  organization_id text NOT NULL,
  flow_id         text NOT NULL,
  graph           json NOT NULL,
  author          text,
  updated_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, flow_id),
  FOREIGN KEY (organization_id, flow_id) REFERENCES flows ON DELETE CASCADE
);
-- Who published a version, and why.
ALTER TABLE flow_versions ADD COLUMN author text, ADD COLUMN note text;
-- A paused schedule keeps its place; it starts nothing until it is resumed.
ALTER TABLE flow_schedules ADD COLUMN paused boolean NOT NULL DEFAULT false;
