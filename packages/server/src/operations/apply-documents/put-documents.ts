import type { DocumentKind, WorkspaceDocument } from "@millrace/contract/documents/document";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import type { Outcome } from "../../storage/catalogue/outcome.ts";
import { putAgent } from "../../storage/catalogue/put-agent.ts";
import type { ApplyContext } from "./apply-context.ts";
import type { FlowChecks } from "./check-flows.ts";
import { organizationOf } from "./organization-of.ts";
import { putCredentialDocument } from "./put-credential-document.ts";
import { putEventEndpointDocument } from "./put-event-endpoint-document.ts";
import { putFlowDocument } from "./put-flow-document.ts";
import { putOrganizationDocument } from "./put-organization-document.ts";

export interface AppliedDocument {
  readonly action: Outcome | "removed";
  readonly kind: DocumentKind;
  readonly id: string;
  readonly organizationId: string;
  /** Of flows alone: the version in force, if there is one. */
  readonly version?: string | undefined;
  /** What keeps a flow from running: it was stored as a draft. */
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  /** Of organizations: nothing but the variables has changed. */
  readonly isOnlyVariables?: boolean;
}

/** What others point to comes first, so that the order in the files does not matter. */
const ORDER: readonly WorkspaceDocument["kind"][] = [
  "Organization",
  "Credential",
  "Flow",
  "Agent",
  "EventEndpoint",
];

export async function putDocuments(
  context: ApplyContext,
  placed: readonly PlacedDocument[],
  checks: FlowChecks,
): Promise<AppliedDocument[]> {
  const documents = placed
    .map(({ document }) => document)
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const applied: AppliedDocument[] = [];
  for (const document of documents) {
    const { outcome, ...rest } = await putOne(context, document, checks);
    const { kind, id } = document;
    applied.push({ action: outcome, kind, id, organizationId: organizationOf(document), ...rest });
  }
  return applied;
}

interface Put extends Pick<AppliedDocument, "version" | "errors" | "warnings" | "isOnlyVariables"> {
  readonly outcome: Outcome;
}

async function putOne(context: ApplyContext, document: WorkspaceDocument, checks: FlowChecks): Promise<Put> {
  switch (document.kind) {
    case "Organization":
      return putOrganizationDocument(context, document);
    case "Credential":
      return putCredentialDocument(context, document);
    case "Flow": {
      const { errors, warnings } = checks.get(document)!;
      const { left = [], ...put } = await putFlowDocument(context, document, errors.length > 0);
      return { ...put, errors, warnings: [...warnings, ...left.map(leftAsStored)] };
    }
    case "Agent": {
      const { slug = null, active, modelIds = [] } = document;
      return { outcome: await putAgent(context.db, { ...document, slug, active, modelIds }) };
    }
    case "EventEndpoint":
      return { outcome: await putEventEndpointDocument(context, document) };
  }
}

function leftAsStored(part: string): string {
  return `"${part}" of the document is not kept in the draft: it stays as it is until the document is applied without errors`;
}
