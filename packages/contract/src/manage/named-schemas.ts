import { flowTestDocument } from "../documents/flow-test.ts";
import type { NamedSchemas } from "../named.ts";
import { agentSessionsAnswer, transcriptAnswer } from "./agent-sessions.ts";
import { auditEntry } from "./audit.ts";
import { managedCredential, setCredentialBody } from "./credentials.ts";
import { creditEntry, creditsAnswer, grantCreditsBody } from "./credits.ts";
import { documentChange, documentFault, documentsBody, documentsResult } from "./documents.ts";
import {
  endpointTestedAnswer,
  managedDelivery,
  managedEndpoint,
  putEndpointBody,
  resendBody,
  rotateSecretBody,
  signingSecretAnswer,
} from "./event-endpoints.ts";
import { eventAnswer, managedEvent } from "./events.ts";
import { flowGraphAnswer } from "./flow-graph.ts";
import {
  createFlowBody,
  draftSavedAnswer,
  draftValidation,
  flowCreated,
  flowDeletedAnswer,
  flowDeletion,
  flowDiffAnswer,
  flowDifference,
  flowDraft,
  flowVersion,
  flowVersionAnswer,
  managedFlow,
  publishedAnswer,
} from "./flows.ts";
import { job, jobRunsAnswer, startJobBody } from "./jobs.ts";
import { createKeyBody, keyCreatedAnswer, keyRotatedAnswer, managedKey, rotateKeyBody } from "./keys.ts";
import { addMemberBody, managedMember } from "./members.ts";
import { changeOrganizationBody, managedOrganization } from "./organizations.ts";
import {
  backtestChange,
  backtestResult,
  draftTested,
  evaluation,
  savedTest,
  storedTest,
  testText,
} from "./replays.ts";
import { runChange } from "./run-stream.ts";
import { nodeRecordsAnswer, nodeValuesAnswer, runTriggerAnswer } from "./run-values.ts";
import { managedApproval } from "./approvals.ts";
import { schedule } from "./schedules.ts";
import { diskAnswer, dutiesAnswer, processesAnswer } from "./service.ts";
import { consoleSession } from "./sessions.ts";
import { shareAnswer, shareBody, sharedRunAnswer, shareRevokedAnswer } from "./shares.ts";
import { flowStatisticsAnswer, runCountsAnswer } from "./statistics.ts";
import { managedVariables, setVariablesBody, variableVersion } from "./variables.ts";
import { flowTemplate } from "./templates.ts";
import { managedWebhook } from "./webhooks.ts";

/** The part of `namedSchemas` that is exchanged under /manage. */
export const managedSchemas: Readonly<Record<string, NamedSchemas>> = {
  access: {
    answers: {
      Organization: managedOrganization,
      ManagedKey: managedKey,
      CreatedKey: keyCreatedAnswer.shape.data,
      RotatedKey: keyRotatedAnswer.shape.data,
      Member: managedMember,
      ManagedCredential: managedCredential,
      ConsoleSession: consoleSession,
      AuditEntry: auditEntry,
      Credits: creditsAnswer.shape.data,
      CreditEntry: creditEntry,
    },
    requests: {
      ChangeOrganizationRequest: changeOrganizationBody,
      CreateKeyRequest: createKeyBody,
      RotateKeyRequest: rotateKeyBody.in.unwrap(),
      AddMemberRequest: addMemberBody,
      SetCredentialRequest: setCredentialBody,
      GrantCreditsRequest: grantCreditsBody,
    },
  },
  "event-endpoints": {
    answers: {
      EventEndpoint: managedEndpoint,
      SigningSecret: signingSecretAnswer.shape.data,
      EndpointTest: endpointTestedAnswer.shape.data,
      Delivery: managedDelivery,
      ManagedWebhook: managedWebhook,
      ManagedEvent: managedEvent,
      EventDetail: eventAnswer.shape.data,
    },
    requests: {
      PutEndpointRequest: putEndpointBody,
      RotateSecretRequest: rotateSecretBody.in.unwrap(),
      ResendRequest: resendBody,
    },
  },
  documents: {
    answers: {
      DocumentChange: documentChange,
      DocumentFault: documentFault,
      DocumentsResult: documentsResult,
      Variables: managedVariables,
      VariableVersion: variableVersion,
    },
    requests: { DocumentsRequest: documentsBody, SetVariablesRequest: setVariablesBody },
  },
  graphs: {
    answers: {
      FlowGraph: flowDraft.shape.graph,
      FlowSettings: flowDraft.shape.settings,
      FlowStructure: flowGraphAnswer.shape.data,
    },
    requests: {},
  },
  flows: {
    answers: {
      ManagedFlow: managedFlow,
      FlowVersion: flowVersion,
      FlowVersionDetail: flowVersionAnswer.shape.data,
      FlowDifference: flowDifference,
      FlowDiff: flowDiffAnswer.shape.data,
      PublishedVersion: publishedAnswer.shape.data,
      FlowDraft: flowDraft,
      DraftSaved: draftSavedAnswer.shape.data,
      FlowCreated: flowCreated,
      DraftValidation: draftValidation,
      FlowDeletion: flowDeletion,
      FlowDeleted: flowDeletedAnswer.shape.data,
      Schedule: schedule,
    },
    requests: { CreateFlowRequest: createFlowBody },
  },
  replays: {
    answers: {
      BacktestChange: backtestChange,
      BacktestResult: backtestResult,
      Evaluation: evaluation,
      FlowTest: flowTestDocument,
      SavedTest: savedTest,
      TestText: testText,
      DraftTested: draftTested,
      StoredTest: storedTest,
      FlowTemplate: flowTemplate,
    },
    requests: {},
  },
  jobs: {
    answers: { Job: job, JobRun: jobRunsAnswer.shape.data.shape.data.element },
    requests: { JobRequest: startJobBody },
  },
  "run-values": {
    answers: {
      NodeRecord: nodeRecordsAnswer.shape.data.shape.data.element,
      NodeValues: nodeValuesAnswer.shape.data,
      RunTrigger: runTriggerAnswer.shape.data,
      RunChange: runChange,
      ManagedApproval: managedApproval,
      RunCounts: runCountsAnswer.shape.data,
      FlowStatistics: flowStatisticsAnswer.shape.data,
      Share: shareAnswer.shape.data,
      Revoked: shareRevokedAnswer.shape.data,
      SharedRun: sharedRunAnswer.shape.data,
    },
    requests: { ShareRequest: shareBody },
  },
  service: {
    answers: {
      AgentSession: agentSessionsAnswer.shape.data.shape.data.element,
      AgentTurn: transcriptAnswer.shape.data.shape.data.element,
      ManagedProcess: processesAnswer.shape.data.shape.data.element,
      ManagedDuty: dutiesAnswer.shape.data.shape.data.element,
      DiskCheck: diskAnswer.shape.data.shape.data.element,
    },
    requests: {},
  },
};
