import { z } from "zod";
import { agentDocument } from "./agent.ts";
import { credentialDocument } from "./credential.ts";
import { eventEndpointDocument } from "./event-endpoint.ts";
import { flowDocument } from "./flow.ts";
import { organizationDocument } from "./organization.ts";

export const documentSchemas = {
  Organization: organizationDocument,
  Credential: credentialDocument,
  Flow: flowDocument,
  Agent: agentDocument,
  EventEndpoint: eventEndpointDocument,
};

export type DocumentKind = keyof typeof documentSchemas;
export type WorkspaceDocument = z.infer<(typeof documentSchemas)[DocumentKind]>;
export const documentKinds = Object.keys(documentSchemas) as DocumentKind[];

/** Any of them: what an editor checks a file of documents against. */
export const workspaceDocument = z.discriminatedUnion("kind", [
  organizationDocument,
  credentialDocument,
  flowDocument,
  agentDocument,
  eventEndpointDocument,
]);
