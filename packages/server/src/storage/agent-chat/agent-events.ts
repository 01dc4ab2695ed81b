/** Whether anyone has subscribed to events of the organization; nothing is written for nobody. */
export const LISTENS_TO_AGENTS = (organizationId: string) =>
  `EXISTS (SELECT FROM event_endpoints x WHERE x.organization_id = ${organizationId} AND x.enabled)`;

const USAGE = [
  "steps",
  "toolCalls",
  "inputTokens",
  "cachedInputTokens",
  "outputTokens",
  "reasoningTokens",
  "finishReason",
]
  .map((name) => `'${name}', e.usage -> '${name}'`)
  .join(", ");

/** What others are told of an ended turn `e` of session `s`: ids, counts and sizes; no word of it or of the agent's design. */
export const MESSAGE_EVENT_JSON = `json_build_object('message', json_strip_nulls(json_build_object(
  'agentId', s.agent_id, 'sessionId', s.id, 'number', e.number, 'status', e.status, 'error', e.error_code, 'usage', CASE WHEN e.usage IS NOT NULL THEN json_build_object(${USAGE}) END,
  'messageCharacters', length(e.user_text), 'replyCharacters', length(e.reply_text),
  'createdAt', iso(e.created_at), 'startedAt', iso(e.started_at), 'completedAt', iso(e.ended_at))))`;
