import type { DocumentKind } from "@millrace/contract/documents/document";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import type { RevisionScope } from "../../storage/catalogue/read-revision.ts";
import { organizationOf } from "./organization-of.ts";

/** What is stored of the things that these documents describe. */
export function revisionScope(documents: readonly PlacedDocument[]): RevisionScope {
  const ofKind = (kind: DocumentKind) =>
    documents.map(({ document }) => document).filter((document) => document.kind === kind);
  const ids = (kind: DocumentKind) => ofKind(kind).map(({ id }) => id);
  const owned = (kind: DocumentKind) =>
    ofKind(kind).map((document) => `${organizationOf(document)}/${document.id}`);
  return {
    organizations: ids("Organization"),
    flows: ids("Flow"),
    agents: ids("Agent"),
    credentials: owned("Credential"),
    eventEndpoints: owned("EventEndpoint"),
  };
}
