-- What a version of a flow says beside its graph: `input`, `tool` and the like, as its document has it. NULL: nothing.
ALTER TABLE flow_versions ADD COLUMN settings json;
