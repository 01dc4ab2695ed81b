import type { CredentialDocument } from "@millrace/contract/documents/credential";
import { credentialSecrets } from "../credential-secret.ts";
import { isOwnVariable } from "../own-variables.ts";
import type { Problem } from "./fault.ts";

/**
 * The secret as its type demands it, `{ env: NAME }` filled from the environment. No text of a problem
 * repeats a value.
 */
export function resolveSecret(
  { type, secret }: CredentialDocument,
  env: Readonly<Record<string, string | undefined>>,
): { secret: Record<string, string> } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const texts: [string, string][] = [];
  for (const [field, value] of Object.entries(secret)) {
    if (typeof value !== "object") {
      texts.push([field, String(value)]);
      continue;
    }
    if (isOwnVariable(value.env)) {
      problems.push({
        path: ["secret", field, "env"],
        message: `${value.env} is a variable of the service itself and never a document's secret; choose another name`,
      });
      continue;
    }
    const text = env[value.env];
    if (typeof text === "string" && text !== "") texts.push([field, text]);
    else problems.push({ path: ["secret", field, "env"], message: `the variable ${value.env} is not set` });
  }
  if (problems.length > 0) return { problems };
  const parsed = credentialSecrets[type].strict().safeParse(Object.fromEntries(texts));
  if (parsed.success) return { secret: parsed.data as Record<string, string> };
  const fields = Object.keys(credentialSecrets[type].shape).join(", ");
  return {
    problems: parsed.error.issues.map((issue) => ({
      path: ["secret", ...issue.path],
      message: `does not fit the type ${type}, whose fields are ${fields}`,
    })),
  };
}
