import type { DocumentsBody } from "@millrace/contract/manage/documents";
import { DocumentFaults } from "../../domain/documents/fault.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  applyDocuments,
  type ApplyResult,
  type ApplyServices,
  CatalogueBusy,
  DocumentsChanged,
} from "../apply-documents/apply-documents.ts";
import type { ReadDocuments } from "../apply-documents/read-documents.ts";
import type { Caller } from "../manage-flows/flow-context.ts";
import { withSources } from "../apply-documents/source-reader.ts";

const MAX_DOCUMENTS = 2_000;

/** What would become of these documents, and everything that is wrong with them. */
export async function planDocuments(
  services: ApplyServices,
  caller: Caller,
  body: DocumentsBody,
): Promise<ApplyResult> {
  return changeDocuments(services, caller, body, true);
}

/** Puts them into the service, all or none of them. */
export async function deployDocuments(
  services: ApplyServices,
  caller: Caller,
  body: DocumentsBody,
): Promise<ApplyResult> {
  try {
    return await changeDocuments(services, caller, body, false);
  } catch (error) {
    if (error instanceof DocumentFaults)
      throw new Refusal("documents_invalid", { data: { documents: [], faults: error.faults } });
    if (error instanceof DocumentsChanged)
      throw new Refusal("documents_changed", { data: { ...error.result } });
    throw error;
  }
}

async function changeDocuments(
  services: ApplyServices,
  { principal, actor }: Caller,
  { files, env = {}, ...options }: DocumentsBody,
  dryRun: boolean,
): Promise<ApplyResult> {
  const sources = files.map(({ path, text }) => ({ file: path, text }));
  try {
    return await withSources(actor.userId ?? "", sources, (read) =>
      applyDocuments(services, bounded(read), { ...options, env, dryRun, principal, actor }),
    );
  } catch (error) {
    if (error instanceof CatalogueBusy) throw new Refusal("service_unavailable", { retryAfterSeconds: 3 });
    throw error;
  }
}

function bounded({ documents, tests, faults }: ReadDocuments): ReadDocuments {
  const first = documents[0] ?? tests[0];
  if (documents.length + tests.length <= MAX_DOCUMENTS) return { documents, tests, faults };
  const message = `more than ${MAX_DOCUMENTS} documents; apply them in parts`;
  return {
    documents: [],
    tests: [],
    faults: [...faults, { file: first!.file, line: 1, column: 1, path: "", message }],
  };
}
