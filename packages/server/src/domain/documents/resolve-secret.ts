import type { CredentialDocument } from "@millrace/contract/documents/credential";
import { credentialSecrets } from "../credential-secret.ts";
import { isOwnVariable } from "../own-variables.ts";
import type { Problem } from "./fault.ts";

/** A credential as it is stored, decrypted. */
export interface StoredSecret {
  readonly type: string;
  readonly allowedHosts: readonly string[];
  readonly allowUnencrypted: boolean;
  readonly secret: Readonly<Record<string, string>>;
}

export type ResolvedSecret =
  | {
      readonly secret: Readonly<Record<string, string>>;
      /** Variables that are not set: what is stored in their place stays. */
      readonly kept: readonly string[];
    }
  | { readonly problems: readonly Problem[] };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The secret as its type demands it, `{ env: NAME }` filled from the environment or, where the variable is not set, from
 * what is stored. No text of a problem repeats a value.
 */
export function resolveSecret(
  document: CredentialDocument,
  env: Environment,
  stored?: StoredSecret,
): ResolvedSecret {
  const { given, missing, forbidden } = readGiven(document, env);
  const fault = missing.size === 0 ? undefined : keepingFault(document, given, missing, stored);
  if (forbidden.size === 0 && fault === undefined)
    return checkFields(document, { ...(missing.size > 0 && stored!.secret), ...given }, [
      ...missing.values(),
    ]);
  const problems = Object.keys(document.secret).flatMap((field): Problem[] => {
    const path = ["secret", field, "env"];
    const name = missing.get(field);
    // What is stored in its place would be kept: that is no fault, whatever is wrong with another field.
    if (name !== undefined)
      return fault === undefined ? [] : [{ path, message: `the variable ${name} is not set${fault}` }];
    const own = forbidden.get(field);
    if (own === undefined) return [];
    const message = `${own} is a variable of the service itself and never a document's secret; choose another name`;
    return [{ path, message }];
  });
  return { problems };
}

/** Fields with their values, those whose variable is not set, and those that ask for a variable of the service. */
function readGiven({ secret }: CredentialDocument, env: Environment) {
  const given: Record<string, string> = {};
  const missing = new Map<string, string>();
  const forbidden = new Map<string, string>();
  for (const [field, value] of Object.entries(secret)) {
    if (typeof value !== "object") given[field] = String(value);
    else if (isOwnVariable(value.env)) forbidden.set(field, value.env);
    else {
      const text = Object.hasOwn(env, value.env) ? env[value.env] : undefined;
      if (typeof text === "string" && text !== "") given[field] = text;
      else missing.set(field, value.env);
    }
  }
  return { given, missing, forbidden };
}

/**
 * A stored secret is kept for the place it was given for. Whoever does not know it may not have it sent elsewhere, by
 * another host, in the clear or beside another address of its own.
 */
function keepingFault(
  { type, allowedHosts = [], allowUnencrypted = false }: CredentialDocument,
  given: Readonly<Record<string, string>>,
  missing: ReadonlyMap<string, string>,
  stored: StoredSecret | undefined,
): string | undefined {
  if (stored?.type !== type || [...missing.keys()].some((field) => !Object.hasOwn(stored.secret, field)))
    return "";
  const isElsewhere =
    allowedHosts.some((host) => !stored.allowedHosts.includes(host)) ||
    (allowUnencrypted && !stored.allowUnencrypted) ||
    Object.entries(given).some(([field, value]) => stored.secret[field] !== value);
  return isElsewhere
    ? ", and the stored value is kept only where it stays as it is: set the variable to change where the secret is sent"
    : undefined;
}

function checkFields(
  { type }: CredentialDocument,
  texts: Readonly<Record<string, string>>,
  kept: readonly string[],
): ResolvedSecret {
  const parsed = credentialSecrets[type].strict().safeParse(texts);
  if (parsed.success) return { secret: parsed.data as Record<string, string>, kept };
  const fields = Object.keys(credentialSecrets[type].shape).join(", ");
  return {
    problems: parsed.error.issues.map((issue) => ({
      path: ["secret", ...issue.path],
      message: `does not fit the type ${type}, whose fields are ${fields}`,
    })),
  };
}
