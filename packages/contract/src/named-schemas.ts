import { z } from "zod";
import { agent } from "./agents.ts";
import { validateAnswer } from "./auth.ts";
import {
  chatStreamEvent,
  chatToolEvent,
  createSessionBody,
  messageAnswer,
  sendMessageBody,
  sessionAnswer,
} from "./chat.ts";
import { compareAnswer, patchOperation } from "./compare.ts";
import { issue } from "./envelope.ts";
import { type ErrorCode, errorCatalogue } from "./errors.ts";
import { eventKinds } from "./event-kinds.ts";
import {
  eventMessage,
  eventQueueItem,
  eventRun,
  eventSession,
  outgoingEvent,
  outgoingEvents,
} from "./events.ts";
import { flow } from "./flows.ts";
import { forkBody, forkCreatedAnswer, forkedFrom, forkQueuedAnswer, runFork } from "./fork.ts";
import { managedSchemas } from "./manage/named-schemas.ts";
import type { NamedSchemas } from "./named.ts";
import { pagination } from "./paging.ts";
import { queueAnswer, queueItemAnswer, queueItemCanceledAnswer } from "./queue.ts";
import {
  nodeStatuses,
  runStatuses,
  taskIdentifiers,
  terminalStatuses,
  triggerSources,
} from "./run-status.ts";
import { flowRunsAnswer, runAnswer, runNodesAnswer, runsAnswer, runStreamEvent } from "./runs.ts";
import {
  resumeBody,
  runCanceledAnswer,
  runCreatedAnswer,
  runQueuedAnswer,
  runResumedAnswer,
  triggerBody,
} from "./trigger.ts";
import { whyAnswer } from "./why.ts";

const run = runAnswer.shape.data;

/** What is exchanged with callers, by area, each under the name that OpenAPI and the clients give it. */
export const namedSchemas: Readonly<Record<string, NamedSchemas>> = {
  common: {
    answers: {
      ErrorCode: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
      Issue: issue,
      Pagination: pagination,
      Identity: validateAnswer.shape.data,
    },
    requests: {},
  },
  statuses: {
    answers: {
      RunStatus: z.enum(runStatuses),
      TerminalStatus: z.enum(terminalStatuses),
      NodeStatus: z.enum(nodeStatuses),
      TaskIdentifier: z.enum(taskIdentifiers),
      TriggerSource: z.enum(triggerSources),
    },
    requests: {},
  },
  runs: {
    answers: {
      RunPayload: runsAnswer.shape.data.shape.data.element.shape.payload,
      FlowRun: flowRunsAnswer.shape.data.shape.data.element,
      Run: runsAnswer.shape.data.shape.data.element,
      RunError: run.shape.error.unwrap(),
      RunPause: run.shape.pause.unwrap(),
      ForkedFrom: forkedFrom,
      RunFork: runFork,
      RunDetail: run,
      RunNode: runNodesAnswer.shape.data.element,
      RunStreamEvent: runStreamEvent,
      RunCreated: runCreatedAnswer.shape.data,
      RunQueued: runQueuedAnswer.shape.data,
      RunCanceled: runCanceledAnswer.shape.data,
      RunResumed: runResumedAnswer.shape.data,
      Why: whyAnswer.shape.data,
    },
    requests: { TriggerRequest: triggerBody, ResumeRequest: resumeBody },
  },
  forks: {
    answers: {
      ForkCreated: forkCreatedAnswer.shape.data,
      ForkQueued: forkQueuedAnswer.shape.data,
      PatchOperation: patchOperation,
      ComparedNode: compareAnswer.shape.data.shape.nodes.element,
      RunComparison: compareAnswer.shape.data,
    },
    requests: { ForkRequest: forkBody },
  },
  queue: {
    answers: {
      QueueItem: queueAnswer.shape.data.element,
      QueueItemDetail: queueItemAnswer.shape.data,
      QueueItemCanceled: queueItemCanceledAnswer.shape.data,
    },
    requests: {},
  },
  catalogue: { answers: { Flow: flow, Agent: agent }, requests: {} },
  chat: {
    answers: {
      Session: sessionAnswer.shape.data,
      MessageReply: messageAnswer.shape.data,
      ChatStreamEvent: chatStreamEvent,
      ChatToolEvent: chatToolEvent,
    },
    requests: { SessionRequest: createSessionBody, MessageRequest: sendMessageBody },
  },
  events: {
    answers: {
      EventKind: z.enum(eventKinds),
      EventRun: eventRun,
      EventQueueItem: eventQueueItem,
      EventSession: eventSession,
      EventMessage: eventMessage,
      RunEvent: outgoingEvents.run,
      QueueItemEvent: outgoingEvents.queueItem,
      AgentSessionEvent: outgoingEvents.session,
      AgentMessageEvent: outgoingEvents.message,
      TestEvent: outgoingEvents.test,
      EndpointDisabledEvent: outgoingEvents.disabled,
      MillraceEvent: outgoingEvent,
    },
    requests: {},
  },
  ...managedSchemas,
};
