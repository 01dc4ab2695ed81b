import { credentialSecrets } from "../../domain/credential-secret.ts";
import { DEFAULT_TIMEZONE } from "../../domain/cron.ts";
import type { CredentialType } from "../../domain/flow/catalogue.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import {
  findFlowDocument,
  listFlowIds,
  listScheduleDocuments,
} from "../../storage/export/find-flow-document.ts";
import { findOrganizationDocument } from "../../storage/export/find-organization-document.ts";
import { listAgentDocuments } from "../../storage/export/list-agent-documents.ts";
import {
  type CredentialDocumentRow,
  listCredentialDocuments,
  listEndpointDocuments,
} from "../../storage/export/list-outside-documents.ts";
import { listFlowTests } from "../../storage/flow-tests/list-flow-tests.ts";
import type { Db } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";

export interface ExportContext {
  readonly db: Db;
  readonly secrets: SecretBox;
}

/** A document as it is stored, or why there is none: a line to be read by people. */
type Stored = { readonly document: object } | { readonly remark: string };

/** Everything that documents have put into an organization, one after the other, as the documents would say it. */
export async function* storedDocuments(
  context: ExportContext,
  organizationId: string,
  wanted: { readonly tests: boolean },
): AsyncGenerator<Stored> {
  yield* organization(context, organizationId);
  for (const row of await listCredentialDocuments(context.db, organizationId))
    yield { document: credential(context, organizationId, row) };
  for (const id of await listFlowIds(context.db, organizationId))
    yield* flow(context, organizationId, id, wanted);
  for (const { slug, ...agent } of await listAgentDocuments(context.db, organizationId)) {
    const { id, name, active, modelIds, design } = agent;
    const fields = { name, ...(slug !== null && { slug }), active, modelIds, design };
    yield { document: { kind: "Agent", id, organizationId, ...fields } };
  }
  for (const endpoint of await listEndpointDocuments(context.db, organizationId)) {
    const { id, url, events } = endpoint;
    yield { document: { kind: "EventEndpoint", id, organizationId, url, events } };
  }
}

async function* organization({ db }: ExportContext, id: string): AsyncGenerator<Stored> {
  const row = await findOrganizationDocument(db, id);
  if (!row) return;
  const { name, concurrency, queue, requestsPerMinute, creditsLimited, opening, members } = row;
  const settings = {
    ...(row.valuesHidden && { values: "hidden" }),
    ...(row.auditDays !== null && { auditDays: row.auditDays }),
    ...(row.variables !== null && { variables: row.variables }),
    ...(row.suspended && { suspended: true }),
  };
  const limits = { concurrency, queue, ...(requestsPerMinute !== null && { requestsPerMinute }) };
  const credits = creditsLimited ? opening !== null && { credits: opening } : { credits: null };
  yield { document: { kind: "Organization", id, name, limits, ...credits, ...settings, members } };
}

async function* flow(
  { db }: ExportContext,
  organizationId: string,
  id: string,
  wanted: { readonly tests: boolean },
): AsyncGenerator<Stored> {
  const row = await findFlowDocument(db, organizationId, id);
  if (!row) return;
  const { name, slug, active, webhook, respondWaitMs, settings, graph } = row;
  if (graph === null) {
    yield { remark: `The flow ${id} has no published version; its draft is not part of this export.` };
    return;
  }
  const schedules = await listScheduleDocuments(db, organizationId, id);
  const fields = {
    name,
    ...(slug !== null && { slug }),
    active,
    ...(webhook !== null && {
      webhook: {
        enabled: webhook,
        ...(respondWaitMs !== null && { respond: { wait: `${respondWaitMs / 1_000}s` } }),
      },
    }),
    ...(schedules.length > 0 && {
      schedules: schedules.map(({ timezone, data, ...schedule }) => ({
        ...schedule,
        ...(timezone !== DEFAULT_TIMEZONE && { timezone }),
        ...(Object.keys(data).length > 0 && { data }),
      })),
    }),
    ...settings,
    graph,
  };
  yield { document: { kind: "Flow", id, organizationId, ...fields } };
  if (!wanted.tests) return;
  for (const { document } of await listFlowTests(db, organizationId, id)) yield { document };
}

/** Its secret stays where it is: applied again, the document asks for variables that need not be set. */
function credential({ secrets }: ExportContext, organizationId: string, row: CredentialDocumentRow): object {
  const { id, type, allowedHosts, allowUnencrypted, ciphertext } = row;
  const fields = secretFields(type as CredentialType, () =>
    secrets.open(secretPlace(organizationId, "credential", id), ciphertext),
  );
  return {
    kind: "Credential",
    id,
    organizationId,
    type,
    ...(allowedHosts.length > 0 && { allowedHosts }),
    ...(allowUnencrypted && { allowUnencrypted }),
    secret: Object.fromEntries(fields.map((field) => [field, { env: variableFor(id, field) }])),
  };
}

function secretFields(type: CredentialType, open: () => string): string[] {
  try {
    return Object.keys(JSON.parse(open()) as object);
  } catch {
    // Sealed with a key that is gone: those that every secret of this type has.
    const { shape } = credentialSecrets[type];
    return Object.entries(shape).flatMap(([field, schema]) =>
      schema.safeParse(undefined).success ? [] : [field],
    );
  }
}

function variableFor(id: string, field: string): string {
  return `SECRET_${id}_${field}`.replaceAll(/[^A-Za-z0-9]+/g, "_").toUpperCase();
}
