import type {
  SetVariablesBody,
  VariablesQuery,
  VariableVersionsQuery,
} from "@millrace/contract/manage/variables";
import type { Actor } from "../../domain/actor.ts";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { checkValues } from "../../domain/documents/check-values.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { lockCatalogue } from "../../storage/catalogue/lock-catalogue.ts";
import { type Db, type Pool, transaction } from "../../storage/pool.ts";
import {
  findVariables,
  listVariableVersions,
  putVariables,
  type StoredVariables,
  type VariableVersionRecord,
} from "../../storage/variables/variables.ts";
import { recordAudit } from "../audit/record-audit.ts";

export type { VariableVersionRecord };

export interface Variables extends Omit<StoredVariables, "createdAt"> {
  readonly organizationId: string;
  readonly createdAt: Date | undefined;
}

export async function getVariables(
  { db }: { readonly db: Db },
  principal: Principal,
  { organizationId: asked, version }: VariablesQuery,
): Promise<Variables> {
  return variablesOf(db, organizationFor(principal, asked, "viewer"), version);
}

export async function variablesOf(db: Db, organizationId: string, version?: number): Promise<Variables> {
  const stored = await findVariables(db, organizationId, version);
  if (stored) return { organizationId, ...stored };
  if (version !== undefined)
    throw new Refusal("variables_not_found", { messageParams: { version: String(version) } });
  return { organizationId, version: 0, values: {}, author: null, note: null, createdAt: undefined };
}

/** Newest first. */
export async function listVersionsOfVariables(
  { db }: { readonly db: Db },
  principal: Principal,
  query: VariableVersionsQuery,
): Promise<Page<VariableVersionRecord>> {
  return variableVersionsOf(db, organizationFor(principal, query.organizationId, "viewer"), query);
}

export async function variableVersionsOf(
  db: Db,
  organizationId: string,
  query: Omit<VariableVersionsQuery, "organizationId">,
): Promise<Page<VariableVersionRecord>> {
  const page = toPageRequest("variables", query);
  const rows = await listVariableVersions(db, organizationId, page);
  const { items, ...cursors } = toPage(
    page,
    rows.map((record) => ({ id: record.id, createdAt: record.created_at, record })),
  );
  return { items: items.map(({ record }) => record), ...cursors };
}

export interface VariableContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
}

export async function setVariables(
  context: VariableContext,
  principal: Principal,
  actor: Actor,
  { organizationId: asked, ...body }: SetVariablesBody,
): Promise<Variables> {
  return setVariablesOf(context, actor, organizationFor(principal, asked, "admin"), body);
}

const MAX_BYTES = 65_536;

/** All of them at once, on top of the version that was read; runs that are made from then on see them. */
export async function setVariablesOf(
  { pool, ids }: VariableContext,
  actor: Actor,
  organizationId: string,
  { values, version, note }: Omit<SetVariablesBody, "organizationId">,
): Promise<Variables> {
  requireStorable(values);
  await transaction(pool, async (db) => {
    if (!(await lockCatalogue(db, [organizationId])))
      throw new Refusal("service_unavailable", { retryAfterSeconds: 3 });
    const before = await variablesOf(db, organizationId);
    if (before.version !== version)
      throw new Refusal("variables_changed", {
        messageParams: { version: String(before.version) },
        data: { version: before.version },
      });
    const made = await putVariables(db, { organizationId, values, author: actor.userId, note });
    if (made === undefined) return;
    await recordAudit({ db, ids }, actor, {
      organizationId,
      action: "variables.update",
      target: organizationId,
      before: { version, values: changed(before.values, values) },
      after: { version: made, values: changed(values, before.values), ...(note !== undefined && { note }) },
    });
  });
  return variablesOf(pool, organizationId);
}

/** What one has and the other has not, or differently. */
function changed(of: Variables["values"], other: Variables["values"]): object {
  return Object.fromEntries(
    Object.entries(of).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name])),
  );
}

function requireStorable(values: Variables["values"]): void {
  const problems = checkValues(values).map(({ path, message }) => ({
    path: ["values", ...path.map((step) => (typeof step === "symbol" ? String(step) : step))],
    message,
  }));
  if (Buffer.byteLength(JSON.stringify(values)) > MAX_BYTES)
    problems.push({ path: ["values"], message: `must be at most ${MAX_BYTES} bytes as JSON` });
  if (problems.length > 0) throw new Refusal("invalid_request_body", { issues: problems.slice(0, 100) });
}
