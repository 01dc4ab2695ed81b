-- A tool that a reply has called, or what it answered, in the log of the session. Its type is that of a text without
-- letters, so that the release before, which knows no tools, reads on.
ALTER TABLE agent_stream_events ADD COLUMN tool json;
