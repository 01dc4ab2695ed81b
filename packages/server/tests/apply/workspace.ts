import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DocumentFaults, faultText } from "../../src/domain/documents/fault.ts";
import { IdMaker } from "../../src/domain/ids.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import {
  applyDocuments,
  type ApplyOptions,
  type ApplyResult,
} from "../../src/operations/apply-documents/apply-documents.ts";
import type { AppliedDocument } from "../../src/operations/apply-documents/put-documents.ts";
import { type ReadDocuments, readPaths } from "../../src/operations/apply-documents/read-documents.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

/** A database and a directory of documents, which tests write and apply. */
export interface Workspace {
  readonly database: TestDatabase;
  readonly secrets: SecretBox;
  readonly directory: string;
  /** File name to content; each call replaces the directory's whole content. */
  write(files: Record<string, string>): Promise<void>;
  applyRead(read: ReadDocuments, options?: Partial<ApplyOptions>): Promise<ApplyResult>;
  applyPaths(paths: readonly string[], options?: Partial<ApplyOptions>): Promise<readonly AppliedDocument[]>;
  apply(files: Record<string, string>, options?: Partial<ApplyOptions>): Promise<readonly AppliedDocument[]>;
  /** The faults as people read them, with file names relative to the directory. */
  faultsOf(files: Record<string, string>, options?: Partial<ApplyOptions>): Promise<string[]>;
  count(table: string): Promise<number>;
  remove(): Promise<void>;
}

export async function createWorkspace(): Promise<Workspace> {
  const database = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), "millrace-documents-"));
  const secrets = new SecretBox(randomBytes(32));
  const services = { pool: database.pool, secrets, ids: new IdMaker(Date.now), catalogue: nodeTypes };
  const workspace: Workspace = {
    database,
    secrets,
    directory,
    write: async (files) => {
      await rm(directory, { recursive: true });
      await mkdir(directory);
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(directory, name)), { recursive: true });
        await writeFile(join(directory, name), content);
      }
    },
    applyRead: (read, options) =>
      applyDocuments(services, read, { env: {}, actor: { via: "cli" }, ...options }),
    applyPaths: async (paths, options) =>
      (await workspace.applyRead(await readPaths(paths), options)).documents,
    apply: async (files, options) => {
      await workspace.write(files);
      return workspace.applyPaths([directory], options);
    },
    faultsOf: async (files, options) => {
      try {
        await workspace.apply(files, options);
      } catch (error) {
        if (!(error instanceof DocumentFaults)) throw error;
        return error.faults.map((fault) => faultText(fault).replace(`${directory}/`, ""));
      }
      throw new Error("The documents have no fault.");
    },
    count: async (table) => {
      const { rows } = await database.pool.query(`SELECT count(*) AS count FROM ${table}`);
      return rows[0].count;
    },
    remove: async () => {
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return workspace;
}

/** `created Flow flow_a`, one line a document. */
export function lines(applied: readonly AppliedDocument[]): string[] {
  return applied.map(({ action, kind, id }) => `${action} ${kind} ${id}`);
}

export function organization(id = "org_a", more = ""): string {
  return `kind: Organization\nid: ${id}\nname: A\nmembers: [{ id: user_ada, email: ada@example.com, name: Ada, role: owner }]\n${more}`;
}

export function flow(id: string, { organizationId = "org_a", text = "hi", x = 0, more = "" } = {}): string {
  return `kind: Flow
id: ${id}
organizationId: ${organizationId}
name: A flow
${more}
graph:
  nodes:
    - { id: start, type: start, position: { x: ${x}, y: 0 }, data: {} }
    - { id: done, type: return, data: { inputs: { value: { text: "${text}" } } } }
  edges: [{ id: e1, source: start, target: done }]
`;
}
