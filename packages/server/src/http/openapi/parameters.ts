import type { Route } from "../route.ts";
import { jsonSchema, type Schema } from "./components.ts";

/** What stands in paths, by name. */
const WHAT: Readonly<Record<string, string>> = {
  flowId: "id of the flow",
  agentId: "id of the agent",
  runId: "id of the run, starts with run_",
  otherRunId: "id of the run to compare with, starts with run_",
  queueId: "id of the queue item, starts with queue_",
  sessionId: "id of the session",
  jobId: "id of the job, starts with job_",
  shareId: "id of the link, starts with share_",
  nodeKey: "the node id, with the round inside containers: fetch[3]",
  version: "a version such as 20260131.1, or draft",
  other: "the version to compare with, or draft",
  scheduleId: "id of the schedule, as the flow names it",
  keyId: "id of the key",
  userId: "id of the user",
  organizationId: "id of the organization",
  credentialId: "id of the credential",
  endpointId: "id of the event endpoint",
  token: "the secret part of the address",
  path: "the rest of the address",
};

export function describeParameters(route: Route): object[] {
  return [
    ...pathParameters(route),
    ...queryParameters(route),
    ...headerParameters(route),
    ...(route.access === "open" ? [] : [{ $ref: "#/components/parameters/Locale" }]),
  ];
}

function pathParameters({ path }: Route): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    description: WHAT[name!] ?? `${name} of the thing`,
    schema: { type: "string" },
  }));
}

function queryParameters({ query }: Route): object[] {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query, "input") as {
    properties?: Record<string, Schema & { description?: string; parameter?: object }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, parameter, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description && { description }),
    // What a text in an address stands for, where that is no text.
    schema: parameter ?? schema,
  }));
}

function headerParameters({ headers = {} }: Route): object[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  }));
}
