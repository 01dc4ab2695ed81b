-- What documents say in the order in which they say it: `jsonb` sorts keys, and their order is that of what is shown and sent.
-- The columns beside them stay for the release before this one, which reads and writes nothing else. What it writes leaves the
-- new column behind, so the new one counts only where both say the same. Empty columns cost no rewrite of a table.
ALTER TABLE flow_versions ADD COLUMN ordered_graph json;
ALTER TABLE flow_schedules ADD COLUMN ordered_data json;
ALTER TABLE agent_designs ADD COLUMN ordered_design json;
