-- What the document of a draft says beside its graph. NULL: as the version in force has it.
ALTER TABLE flow_drafts ADD COLUMN settings json;
