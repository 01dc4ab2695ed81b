-- Lists of an agent's sessions, newest first: an id begins with its time.
CREATE INDEX agent_sessions_by_agent ON agent_sessions (organization_id, agent_id, id);
