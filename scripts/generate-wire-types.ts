// Writes packages/client/src/wire.ts from the contract: the same types as plain declarations, so that the client's own
// declarations need neither zod nor the contract.
import { writeFileSync } from "node:fs";
import { agent } from "@millrace/contract/agents";
import { validateAnswer } from "@millrace/contract/auth";
import {
  chatStreamEvent,
  createSessionBody,
  messageAnswer,
  sendMessageBody,
  sessionAnswer,
} from "@millrace/contract/chat";
import { compareAnswer, patchOperation } from "@millrace/contract/compare";
import { issue } from "@millrace/contract/envelope";
import { flow } from "@millrace/contract/flows";
import { forkBody, forkCreatedAnswer, forkedFrom, forkQueuedAnswer, runFork } from "@millrace/contract/fork";
import { job, jobRunsAnswer, startJobBody } from "@millrace/contract/manage/jobs";
import { auditEntry } from "@millrace/contract/manage/audit";
import { managedCredential, setCredentialBody } from "@millrace/contract/manage/credentials";
import { creditEntry, creditsAnswer, grantCreditsBody } from "@millrace/contract/manage/credits";
import {
  endpointTestedAnswer,
  managedDelivery,
  managedEndpoint,
  putEndpointBody,
  resendBody,
  rotateSecretBody,
  signingSecretAnswer,
} from "@millrace/contract/manage/event-endpoints";
import {
  createKeyBody,
  keyCreatedAnswer,
  keyRotatedAnswer,
  managedKey,
  rotateKeyBody,
} from "@millrace/contract/manage/keys";
import { addMemberBody, managedMember } from "@millrace/contract/manage/members";
import { changeOrganizationBody, managedOrganization } from "@millrace/contract/manage/organizations";
import { consoleSession } from "@millrace/contract/manage/sessions";
import { managedWebhook } from "@millrace/contract/manage/webhooks";
import { documentsBody, documentsResult } from "@millrace/contract/manage/documents";
import {
  draftSavedAnswer,
  draftValidation,
  flowDeletedAnswer,
  flowDeletion,
  flowDiffAnswer,
  flowDifference,
  flowDraft,
  flowVersion,
  flowVersionAnswer,
  managedFlow,
  publishedAnswer,
} from "@millrace/contract/manage/flows";
import { backtestChange, backtestResult, evaluation, savedTest } from "@millrace/contract/manage/replays";
import { schedule } from "@millrace/contract/manage/schedules";
import { queueAnswer, queueItemAnswer, queueItemCanceledAnswer } from "@millrace/contract/queue";
import {
  runStatuses,
  taskIdentifiers,
  terminalStatuses,
  triggerSources,
} from "@millrace/contract/run-status";
import {
  flowRunsAnswer,
  runAnswer,
  runNodesAnswer,
  runsAnswer,
  runStreamEvent,
} from "@millrace/contract/runs";
import {
  resumeBody,
  runCanceledAnswer,
  runCreatedAnswer,
  runQueuedAnswer,
  runResumedAnswer,
  triggerBody,
} from "@millrace/contract/trigger";
import {
  shareAnswer,
  shareBody,
  sharedRunAnswer,
  shareRevokedAnswer,
} from "@millrace/contract/manage/shares";
import { whyAnswer } from "@millrace/contract/why";
import { z } from "zod";

/** What a caller may leave out is optional here. */
const requests: Record<string, z.ZodType> = {
  TriggerRequest: triggerBody,
  ForkRequest: forkBody,
  JobRequest: startJobBody,
  ResumeRequest: resumeBody,
  ShareRequest: shareBody,
  SessionRequest: createSessionBody,
  MessageRequest: sendMessageBody,
  CreateKeyRequest: createKeyBody,
  RotateKeyRequest: rotateKeyBody.in.unwrap(),
  AddMemberRequest: addMemberBody,
  SetCredentialRequest: setCredentialBody,
  GrantCreditsRequest: grantCreditsBody,
  PutEndpointRequest: putEndpointBody,
  RotateSecretRequest: rotateSecretBody.in.unwrap(),
  ResendRequest: resendBody,
  ChangeOrganizationRequest: changeOrganizationBody,
  DocumentsRequest: documentsBody,
};
const run = runAnswer.shape.data;
const answers: Record<string, z.ZodType> = {
  RunStatus: z.enum(runStatuses),
  TerminalStatus: z.enum(terminalStatuses),
  TaskIdentifier: z.enum(taskIdentifiers),
  TriggerSource: z.enum(triggerSources),
  Issue: issue,
  Identity: validateAnswer.shape.data,
  Flow: flow,
  Agent: agent,
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
  Why: whyAnswer.shape.data,
  Share: shareAnswer.shape.data,
  ShareRevoked: shareRevokedAnswer.shape.data,
  SharedRun: sharedRunAnswer.shape.data,
  RunCreated: runCreatedAnswer.shape.data,
  RunQueued: runQueuedAnswer.shape.data,
  ForkCreated: forkCreatedAnswer.shape.data,
  ForkQueued: forkQueuedAnswer.shape.data,
  Job: job,
  JobRun: jobRunsAnswer.shape.data.shape.data.element,
  PatchOperation: patchOperation,
  ComparedNode: compareAnswer.shape.data.shape.nodes.element,
  RunComparison: compareAnswer.shape.data,
  RunCanceled: runCanceledAnswer.shape.data,
  RunResumed: runResumedAnswer.shape.data,
  QueueItem: queueAnswer.shape.data.element,
  QueueItemDetail: queueItemAnswer.shape.data,
  QueueItemCanceled: queueItemCanceledAnswer.shape.data,
  Session: sessionAnswer.shape.data,
  MessageReply: messageAnswer.shape.data,
  ChatStreamEvent: chatStreamEvent,
  Organization: managedOrganization,
  ManagedKey: managedKey,
  CreatedKey: keyCreatedAnswer.shape.data,
  RotatedKey: keyRotatedAnswer.shape.data,
  Member: managedMember,
  ManagedCredential: managedCredential,
  Credits: creditsAnswer.shape.data,
  CreditEntry: creditEntry,
  EventEndpoint: managedEndpoint,
  SigningSecret: signingSecretAnswer.shape.data,
  EndpointTest: endpointTestedAnswer.shape.data,
  Delivery: managedDelivery,
  ManagedWebhook: managedWebhook,
  ConsoleSession: consoleSession,
  AuditEntry: auditEntry,
  FlowGraph: flowDraft.shape.graph,
  DocumentChange: documentsResult.shape.documents.element,
  DocumentFault: documentsResult.shape.faults.element,
  DocumentsResult: documentsResult,
  ManagedFlow: managedFlow,
  FlowVersion: flowVersion,
  FlowVersionDetail: flowVersionAnswer.shape.data,
  FlowDifference: flowDifference,
  FlowDiff: flowDiffAnswer.shape.data,
  PublishedVersion: publishedAnswer.shape.data,
  FlowDraft: flowDraft,
  DraftSaved: draftSavedAnswer.shape.data,
  DraftValidation: draftValidation,
  BacktestChange: backtestChange,
  BacktestResult: backtestResult,
  Evaluation: evaluation,
  SavedTest: savedTest,
  FlowDeletion: flowDeletion,
  FlowDeleted: flowDeletedAnswer.shape.data,
  Schedule: schedule,
};

type Schema = z.core.JSONSchema.BaseSchema;
interface Named {
  readonly name: string;
  readonly schema: Schema;
  /** A request may spell out `undefined`; JSON never does. */
  readonly absent: string;
}

export function renderWireTypes(): string {
  const all = [...namedOf(answers, "output", ""), ...namedOf(requests, "input", " | undefined")];
  const names = new Map(all.map(({ name, schema }) => [fingerprint(schema), name]));
  const head = "// Generated by `npm run wire` from packages/contract; do not edit.\n";
  const values = `export const terminalStatuses: readonly TerminalStatus[] = ${JSON.stringify(terminalStatuses)};\n`;
  return [head, ...all.map((named) => renderNamed(named, names)), values].join("\n");
}

function namedOf(schemas: Record<string, z.ZodType>, io: "input" | "output", absent: string): Named[] {
  return Object.entries(schemas).map(([name, schema]) => ({
    name,
    schema: z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema,
    absent,
  }));
}

function renderNamed({ name, schema, absent }: Named, names: ReadonlyMap<string, string>): string {
  const others = new Map([...names].filter(([, other]) => other !== name));
  const type = render(schema, others, absent);
  return schema.properties ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`;
}

/** A part that is the same as a named type takes its name. */
function render(schema: Schema, names: ReadonlyMap<string, string>, absent: string): string {
  const known = names.get(fingerprint(schema));
  if (known) return known;
  const inner = (part: unknown) => render(part as Schema, names, absent);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(inner).join(" | ");
  if (schema.type === "array") return renderArray(inner(schema.items));
  if (schema.type === "object") return renderObject(schema, inner, absent);
  const types = [schema.type ?? []].flat();
  return types.length > 0 ? types.map((type) => plain[type]).join(" | ") : renderUnknown(schema);
}

const plain: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

function renderArray(item: string): string {
  return item.includes("|") ? `(${item})[]` : `${item}[]`;
}

function renderObject(schema: Schema, inner: (part: unknown) => string, absent: string): string {
  if (!schema.properties) return `Record<string, ${inner(schema.additionalProperties)}>`;
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const { description } = property as Schema;
    const comment = description ? `/** ${description} */\n` : "";
    const type = inner(property);
    return schema.required?.includes(name)
      ? `${comment}${name}: ${type};`
      : `${comment}${name}?: ${type}${type === "unknown" ? "" : absent};`;
  });
  return `{\n${properties.join("\n").replace(/^/gm, "  ")}\n}`;
}

function renderUnknown(schema: Schema): string {
  if (fingerprint(schema) !== "{}") throw new Error(`no type is known for ${JSON.stringify(schema)}`);
  return "unknown";
}

/** What makes two schemas the same type; words about them do not count. */
function fingerprint(schema: Schema): string {
  const unsaid = new Set(["$schema", "description", "default"]);
  return JSON.stringify(schema, (key, value: unknown) => (unsaid.has(key) ? undefined : value));
}

if (import.meta.main)
  writeFileSync(new URL("../packages/client/src/wire.ts", import.meta.url), renderWireTypes());
