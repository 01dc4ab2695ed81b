/** Every kind of event that an event endpoint can ask for. */
export const eventKinds = [
  "run.created",
  "run.started",
  "run.retrying",
  "run.paused",
  "run.resumed",
  "run.completed",
  "run.failed",
  "run.canceled",
  "run.crashed",
  "run.timed_out",
  "queue.item_created",
  "queue.item_dispatched",
  "queue.item_canceled",
  "agent.session_created",
  "agent.message_completed",
  "agent.message_failed",
  "endpoint.test",
  "endpoint.disabled",
] as const;

export type EventKind = (typeof eventKinds)[number];
