import type { DocumentKind, WorkspaceDocument } from "@millrace/contract/documents/document";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import type { FlowReferences } from "../../domain/flow/validation/flow-to-check.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { PrunableRow } from "../../storage/catalogue/list-prunable.ts";
import { lockCatalogue } from "../../storage/catalogue/lock-catalogue.ts";
import type { Outcome } from "../../storage/catalogue/outcome.ts";
import { putAgent } from "../../storage/catalogue/put-agent.ts";
import { type Db, type Pool, transaction } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import type { ApplyContext } from "./apply-context.ts";
import { checkOwnership } from "./check-ownership.ts";
import { type FlowValidator, readReferences } from "./flow-references.ts";
import { organizationOf } from "./organization-of.ts";
import { prune } from "./prune.ts";
import { putCredentialDocument } from "./put-credential-document.ts";
import { putEventEndpointDocument } from "./put-event-endpoint-document.ts";
import { putFlowDocument } from "./put-flow-document.ts";
import { putOrganizationDocument } from "./put-organization-document.ts";
import { readDocuments } from "./read-documents.ts";
import { resolveSecrets } from "./resolve-secrets.ts";

export interface ApplyServices {
  readonly pool: Pool;
  readonly secrets: SecretBox;
  readonly ids: IdMaker;
  readonly validate: FlowValidator;
}

export interface ApplyOptions {
  /** Where `{ env: NAME }` of a secret is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
}

export interface AppliedDocument {
  readonly action: Outcome | "deleted";
  readonly kind: DocumentKind;
  readonly id: string;
  readonly organizationId: string;
  /** Of flows alone: the version in force, and what keeps it from running or deserves a look. */
  readonly version?: string;
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
}

/**
 * Puts the documents of these files and directories into the service: all of them in one transaction,
 * or none, with every fault in a `DocumentFaults`.
 */
export async function applyDocuments(
  services: ApplyServices,
  paths: readonly string[],
  options: ApplyOptions,
): Promise<AppliedDocument[]> {
  const documents = await readDocuments(paths);
  const resolved = resolveSecrets(documents, options.env);
  let put: PutDocument[] = [];
  let pruned: PrunableRow[] = [];
  let references: ReadonlyMap<string, FlowReferences> = new Map();
  const work = async (db: Db) => {
    const now = await lockCatalogue(db);
    if (!now) throw new Error("Another apply is at work on this database; try again when it has ended.");
    await checkOwnership(db, documents);
    put = await putAll({ ...services, db, now, resolved }, documents);
    if (options.prune) pruned = await prune(db, documents);
    references = await readReferences(db, documents);
    if (options.dryRun) throw DRY_RUN;
  };
  await transaction(services.pool, work).catch((error: unknown) => {
    if (error !== DRY_RUN) throw error;
  });
  return [
    ...put.map((one) => describe(one, services.validate, references)),
    ...pruned.map(({ kind, id, organizationId }) => ({
      action: "deleted" as const,
      kind,
      id,
      organizationId,
    })),
  ];
}

/** Thrown to roll back: a dry run does everything and keeps nothing. */
const DRY_RUN = new Error("dry run");

/** What others point to comes first, so that the order in the files does not matter. */
const ORDER: readonly DocumentKind[] = ["Organization", "Credential", "Flow", "Agent", "EventEndpoint"];

interface PutDocument {
  readonly document: WorkspaceDocument;
  readonly outcome: Outcome;
  readonly version?: string;
}

async function putAll(context: ApplyContext, placed: readonly PlacedDocument[]): Promise<PutDocument[]> {
  const documents = placed
    .map(({ document }) => document)
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const put: PutDocument[] = [];
  for (const document of documents) put.push({ document, ...(await putOne(context, document)) });
  return put;
}

/** Validation comes after the transaction: thousands of flows take longer than it may stand still. */
function describe(
  { document, outcome, version }: PutDocument,
  validate: FlowValidator,
  references: ReadonlyMap<string, FlowReferences>,
): AppliedDocument {
  const organizationId = organizationOf(document);
  const applied = { action: outcome, kind: document.kind, id: document.id, organizationId };
  if (document.kind !== "Flow") return applied;
  return { ...applied, version, ...validate(document.graph, references.get(organizationId)!) };
}

async function putOne(
  context: ApplyContext,
  document: WorkspaceDocument,
): Promise<{ outcome: Outcome; version?: string }> {
  switch (document.kind) {
    case "Organization":
      return { outcome: await putOrganizationDocument(context, document) };
    case "Credential":
      return { outcome: await putCredentialDocument(context, document) };
    case "Flow":
      return putFlowDocument(context, document);
    case "Agent": {
      const { slug = null, active, modelIds = [] } = document;
      return { outcome: await putAgent(context.db, { ...document, slug, active, modelIds }) };
    }
    case "EventEndpoint":
      return { outcome: await putEventEndpointDocument(context, document) };
  }
}
