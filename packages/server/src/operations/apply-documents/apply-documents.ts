import type { Actor } from "../../domain/actor.ts";
import { checkTogether, type Report } from "../../domain/documents/check-together.ts";
import type { Fault } from "../../domain/documents/fault.ts";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { Principal } from "../../domain/principal.ts";
import { findStoredFlow } from "../../storage/catalogue/find-stored-flow.ts";
import { lockCatalogue } from "../../storage/catalogue/lock-catalogue.ts";
import { readRevision } from "../../storage/catalogue/read-revision.ts";
import { type Db, type Pool, transaction } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import { auditDocuments } from "./audit-documents.ts";
import { checkAccess, checkOwnerChanges, checkPeople } from "./check-access.ts";
import { checkFlows } from "./check-flows.ts";
import { checkOwnership } from "./check-ownership.ts";
import { Findings } from "./findings.ts";
import { readReferences } from "./flow-references.ts";
import { organizationOf } from "./organization-of.ts";
import { prune } from "./prune.ts";
import { checkTests, putTests } from "./put-tests.ts";
import { type AppliedDocument, putDocuments } from "./put-documents.ts";
import type { ReadDocuments } from "./read-documents.ts";
import { resolveSecrets } from "./resolve-secrets.ts";
import { revisionScope } from "./revision-scope.ts";

export interface ApplyServices {
  readonly pool: Pool;
  readonly secrets: SecretBox;
  readonly ids: IdMaker;
  readonly catalogue: NodeCatalogue;
}

export interface ApplyOptions {
  /** Where `{ env: NAME }` of a secret is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Does everything and keeps nothing of it; faults are told beside what could be done. */
  readonly dryRun?: boolean | undefined;
  readonly prune?: boolean | undefined;
  /** A flow that would not run is kept as the flow's draft. */
  readonly draft?: boolean | undefined;
  /** What must still be stored: from a plan, or as it was when this began. */
  readonly revision?: string | undefined;
  /** Whose rights decide; without it everything is allowed, as for whoever reaches the database. */
  readonly principal?: Principal | undefined;
  /** Who does it; the audit log says so. */
  readonly actor: Actor;
  readonly note?: string | undefined;
}

export interface ApplyResult {
  readonly documents: readonly AppliedDocument[];
  readonly faults: readonly Fault[];
  /** Of what was stored before. */
  readonly revision: string;
}

/** Somebody else was faster: nothing was changed, and this is what would be now. */
export class DocumentsChanged extends Error {
  readonly result: ApplyResult;
  constructor(result: ApplyResult) {
    super(
      "Somebody else has changed some of it meanwhile; nothing was changed. Look at the difference and apply again.",
    );
    this.result = result;
  }
}

/** Another change of the same organization did not end in time. */
export class CatalogueBusy extends Error {
  constructor() {
    super("Another apply is at work on these organizations; try again when it has ended.");
  }
}

/**
 * Puts documents into the service: all of them in one transaction, or none, with every fault in a `DocumentFaults`.
 * Flows are checked before it: thousands of them take longer than it may stand still.
 */
export async function applyDocuments(
  services: ApplyServices,
  { documents, tests, faults }: ReadDocuments,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const { pool, catalogue } = services;
  const { env, dryRun = false, draft = false, principal, actor, note } = options;
  const findings = new Findings(faults);
  const report: Report = (placed, problem) => findings.add(placed, problem);
  checkTogether(documents, report);
  checkTests(tests, findings);
  if (principal) checkAccess(principal, documents, report);
  const scope = revisionScope(documents);
  const expected = options.revision ?? (await readRevision(pool, scope));
  const references = await readReferences(pool, documents);
  const checks = await checkFlows(catalogue, documents, references, {
    findings,
    asDrafts: draft,
    storedHash: async ({ organizationId, id }) => {
      const stored = await findStoredFlow(pool, organizationId, id);
      return stored?.deleted ? undefined : stored?.hash;
    },
  });

  const work = async (db: Db): Promise<{ result: ApplyResult; keep: boolean }> => {
    const now = await lockCatalogue(
      db,
      documents.map(({ document }) => organizationOf(document)),
    );
    if (!now) throw new CatalogueBusy();
    const revision = await readRevision(db, scope);
    await checkOwnership(db, documents, report);
    if (principal)
      await checkPeople(
        db,
        documents.filter((placed) => findings.isSound(placed)),
        report,
      );
    const resolved = await resolveSecrets({ ...services, db }, documents, env, findings);
    if (!dryRun) await findings.throwAny();
    const sound = documents.filter((placed) => findings.isSound(placed));
    const context = { ...services, db, now, resolved, author: actor.userId, note };
    const put = await putDocuments(context, sound, checks);
    const soundTests = tests.filter((placed) => findings.isSound(placed));
    const isPruned = options.prune === true && faults.length === 0;
    put.push(...(await putTests(context, sound, soundTests, isPruned)));
    if (principal) checkOwnerChanges(principal, sound, put, report);
    // What cannot be read is not missing.
    const pruned = isPruned ? await prune(db, documents) : [];
    const applied = [...put, ...pruned.map((row) => ({ action: "removed" as const, ...row }))];
    if (!dryRun) await findings.throwAny();
    await auditDocuments(context, actor, applied, note);
    // Who finds what he brings has lost nothing by being slower.
    const isStale = revision !== expected && applied.some(({ action }) => action !== "unchanged");
    const result = { documents: applied, faults: await findings.faults(), revision };
    return { result, keep: !dryRun && !isStale };
  };
  const { result, keep } = await transactionOrNothing(pool, work);
  if (!dryRun && !keep) throw new DocumentsChanged(result);
  return result;
}

/** A transaction that is rolled back where nothing is to be kept of it. */
async function transactionOrNothing<Outcome extends { readonly keep: boolean }>(
  pool: Pool,
  work: (db: Db) => Promise<Outcome>,
): Promise<Outcome> {
  let inVain: Outcome | undefined;
  return transaction(pool, async (db) => {
    const outcome = await work(db);
    if (outcome.keep) return outcome;
    inVain = outcome;
    throw NOT_KEPT;
  }).catch((error: unknown) => {
    if (error === NOT_KEPT && inVain) return inVain;
    throw error;
  });
}

const NOT_KEPT = new Error("rolled back on purpose");
