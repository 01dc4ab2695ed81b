// Raises the revision of every SQL function whose text has changed since, in packages/server/sql/revisions.json: that is how a
// database knows which of two releases brings the newer one.
import { readFileSync, writeFileSync } from "node:fs";
import {
  readSchemaFiles,
  type Revisions,
  type SqlFunction,
} from "../packages/server/src/storage/schema-files.ts";

const file = new URL("../packages/server/sql/revisions.json", import.meta.url);

export function raiseRevisions(known: Revisions, functions: readonly SqlFunction[]): Revisions {
  const raised = functions.map(({ name, hash }): [string, Revisions[string]] => {
    const before = known[name] ?? { revision: 0, hash: "" };
    return [name, before.hash === hash ? before : { revision: before.revision + 1, hash }];
  });
  // One that is gone keeps its number: should it come back, it goes on from there.
  return Object.fromEntries(
    [...new Map([...Object.entries(known), ...raised])].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

export function renderRevisions(revisions: Revisions): string {
  const lines = Object.entries(revisions).map(
    ([name, { revision, hash }]) => `  "${name}": { "revision": ${revision}, "hash": "${hash}" }`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}

export function readRevisions(): Revisions {
  return JSON.parse(readFileSync(file, "utf8")) as Revisions;
}

if (import.meta.main) {
  const { functions } = await readSchemaFiles();
  writeFileSync(file, renderRevisions(raiseRevisions(readRevisions(), functions)));
}
