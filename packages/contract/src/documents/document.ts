import { z } from "zod";
import { agentDocument } from "./agent.ts";
import { credentialDocument } from "./credential.ts";
import { eventEndpointDocument } from "./event-endpoint.ts";
import { flowTestDocument } from "./flow-test.ts";
import { flowDocument } from "./flow.ts";
import { organizationDocument } from "./organization.ts";

export const documentSchemas = {
  Organization: organizationDocument,
  Credential: credentialDocument,
  Flow: flowDocument,
  Agent: agentDocument,
  EventEndpoint: eventEndpointDocument,
  FlowTest: flowTestDocument,
};

export type DocumentKind = keyof typeof documentSchemas;
type AnyDocument = z.infer<(typeof documentSchemas)[DocumentKind]>;
/** What a service keeps by itself. Tests are kept with their flow. */
export type WorkspaceDocument = Exclude<AnyDocument, { kind: "FlowTest" }>;
export const documentKinds = Object.keys(documentSchemas) as DocumentKind[];

/** Any of them: what an editor checks a file of documents against. */
export const workspaceDocument = z.discriminatedUnion("kind", [
  organizationDocument,
  credentialDocument,
  flowDocument,
  agentDocument,
  eventEndpointDocument,
  flowTestDocument,
]);
