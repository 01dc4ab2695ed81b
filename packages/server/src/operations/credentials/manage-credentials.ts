import type { Issue } from "@millrace/contract/envelope";
import type { CredentialsQuery, SetCredentialBody } from "@millrace/contract/manage/credentials";
import type { Actor } from "../../domain/actor.ts";
import { credentialSecrets } from "../../domain/credential-secret.ts";
import { type Page, toPageRequest } from "../../domain/cursor.ts";
import { checkRules } from "../../domain/documents/check-rules.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { pageById } from "../../domain/page-by-id.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import { deleteCredential } from "../../storage/catalogue/delete-credential.ts";
import { findCredential } from "../../storage/catalogue/find-credential.ts";
import {
  type CredentialSummary,
  listCredentials as readCredentials,
} from "../../storage/catalogue/list-credentials.ts";
import type { Outcome } from "../../storage/catalogue/outcome.ts";
import { putCredential } from "../../storage/catalogue/put-credential.ts";
import { type Pool, transaction } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import { recordAudit } from "../audit/record-audit.ts";

export type { CredentialSummary };

export interface CredentialContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
  readonly secrets: SecretBox;
}

interface Asked {
  readonly organizationId?: string | undefined;
}

/** Their names, types and hosts; never what they hold. */
export async function listCredentials(
  { pool }: CredentialContext,
  principal: Principal,
  query: CredentialsQuery,
): Promise<Page<CredentialSummary>> {
  const organizationId = organizationFor(principal, query.organizationId, "viewer");
  return pageById(toPageRequest("credentials", query), await readCredentials(pool, organizationId));
}

/** Creates a credential or replaces it whole. The audit log sees that the secret changed, never the secret. */
export async function setCredential(
  { pool, ids, secrets }: CredentialContext,
  principal: Principal,
  actor: Actor,
  id: string,
  { type, allowedHosts = [], allowUnencrypted = false, secret, ...asked }: SetCredentialBody,
): Promise<Outcome> {
  const organizationId = organizationFor(principal, asked.organizationId, "admin");
  refuseFaults({ type, allowedHosts, secret });
  const text = JSON.stringify(
    Object.fromEntries(Object.entries(secret).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
  const place = secretPlace(organizationId, "credential", id);
  const shown = { type, allowedHosts, allowUnencrypted };
  return transaction(pool, async (db) => {
    const before = await findCredential(db, organizationId, id);
    const outcome = await putCredential(db, {
      organizationId,
      id,
      ...shown,
      ciphertext: secrets.seal(place, text),
      fingerprint: secrets.fingerprint(place, text),
    });
    if (outcome === "unchanged") return outcome;
    await recordAudit({ db, ids }, actor, {
      organizationId,
      action: outcome === "created" ? "credential.create" : "credential.change",
      target: id,
      before: before && publicPart(before),
      after: shown,
    });
    return outcome;
  });
}

export async function removeCredential(
  { pool, ids }: CredentialContext,
  principal: Principal,
  actor: Actor,
  id: string,
  asked: Asked,
): Promise<void> {
  const organizationId = organizationFor(principal, asked.organizationId, "admin");
  await transaction(pool, async (db) => {
    const stored = await findCredential(db, organizationId, id);
    if (!stored) throw new Refusal("credential_not_found");
    await deleteCredential(db, organizationId, id);
    const change = { organizationId, action: "credential.delete", target: id, before: publicPart(stored) };
    await recordAudit({ db, ids }, actor, change);
  });
}

function publicPart({
  type,
  allowedHosts,
  allowUnencrypted,
}: {
  readonly type: string;
  readonly allowedHosts: readonly string[];
  readonly allowUnencrypted: boolean;
}): object {
  return { type, allowedHosts, allowUnencrypted };
}

/** No text of a fault repeats a value. */
function refuseFaults({
  type,
  allowedHosts,
  secret,
}: Pick<SetCredentialBody, "type" | "secret"> & { allowedHosts: string[] }): void {
  const schema = credentialSecrets[type];
  const parsed = schema.strict().safeParse(secret);
  const message = `does not fit the type ${type}, whose fields are ${Object.keys(schema.shape).join(", ")}`;
  const issues: Issue[] = [
    ...checkRules({ type, allowedHosts }).map(({ path, message: text }) => ({
      path: path.map((step) => (typeof step === "number" ? step : String(step))),
      message: text,
    })),
    ...(parsed.error?.issues ?? []).map(({ path }) => ({ path: ["secret", ...path.map(String)], message })),
  ];
  if (issues.length > 0) throw new Refusal("invalid_request_body", { issues });
}
