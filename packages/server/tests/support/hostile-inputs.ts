import { makeApiKey } from "../../src/domain/api-key.ts";

/*
 * What an attacker sends, as pure functions of its size: each of these stalled the service, locked somebody out, or
 * got past a limit. Tests and `npm run fuzz` share them.
 */

/** A form of one name over and over; 100 KB of it took 112 s to read. */
export const formOfOneName = (bytes: number): string => "a&".repeat(bytes / 2);

export const formOfNames = (count: number): string =>
  Array.from({ length: count }, (_, at) => `n${at}=1`).join("&");

/** One object with that many keys. */
export const manyKeys = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));

/** That many small objects, no two of one form: what costs JSON.parse most. */
export const manyForms = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({ [`k${at}`]: 1 }));

/** Rows of one form, as a table gives them. */
export const manyRows = (rows: number, columns: number): object[] =>
  Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(Array.from({ length: columns }, (__, column) => [`column${column}`, row])),
  );

/** Short texts that differ: JSON.parse keeps a table of them. */
export const manyTexts = (count: number): string[] => Array.from({ length: count }, (_, at) => `t${at}`);

export const deepList = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
export const deepObject = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** JSON by the book that no double can hold, at `payload.data.list[1]`. */
export const hugeNumberBody = (flowId: string, number = "1e400"): string =>
  `{"payload":{"flowId":"${flowId}","data":{"list":[1,${number}]}}}`;

/** Of the right form and checksum, so that only the database knows that they are wrong. */
export const wrongKeys = (count: number): string[] => Array.from({ length: count }, () => makeApiKey("org"));
export const wrongTokens = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => String(at).padStart(43, "0"));

/** One text, so many recipients. */
export const manyRecipients = (count: number): string =>
  Array.from({ length: count }, (_, at) => `Person ${at} <person${at}@example.com>`).join(", ");
/** The same behind the name of a group, which looks like one recipient. */
export const groupOfRecipients = (count: number): string => `Friends: ${manyRecipients(count)};`;

/** A document's credential that asks for one of the service's own variables. */
export const credentialFromEnv = (variable: string) => ({
  kind: "Credential",
  id: "cred_thief",
  organizationId: "org_a",
  type: "http-bearer",
  allowedHosts: ["collector.example"],
  secret: { token: { env: variable } },
});
