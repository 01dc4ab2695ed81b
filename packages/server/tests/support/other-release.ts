import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { raiseRevisions, renderRevisions } from "../../../../scripts/raise-sql-revisions.ts";
import { readSchemaFiles, type Revisions, type SchemaFiles } from "../../src/storage/schema-files.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const PACKAGES = ["contract", "client", "server"] as const;

/** Another release than the checkout's, on disk and ready to be started. */
export interface OtherRelease {
  /** Its `millrace`, for startChildService. */
  readonly program: string;
  schemaFiles(): Promise<SchemaFiles>;
  remove(): Promise<void>;
}

/** A file below packages/server: what is cut out of its text, and what is put in its place. A file that is new has no cut. */
export type Change = readonly [file: string, cut: string, replacement: string];

/** The release that may come next: this one with changes, the revisions of changed functions raised. */
export async function nextRelease(changes: readonly Change[]): Promise<OtherRelease> {
  return makeRelease(async (directory) => {
    for (const name of PACKAGES) {
      await cp(join(root, "packages", name), join(directory, "packages", name), {
        recursive: true,
        filter: (source) => !/\/(node_modules|tests)$/.test(source),
      });
    }
    const server = join(directory, "packages/server");
    for (const [file, cut, replacement] of changes) {
      const path = join(server, file);
      const text = cut === "" ? "" : await readFile(path, "utf8");
      if (!text.includes(cut)) throw new Error(`${file} does not contain "${cut}"`);
      await writeFile(
        path,
        text.replace(cut, () => replacement),
      );
    }
    const path = join(server, "sql/revisions.json");
    const known = JSON.parse(await readFile(path, "utf8")) as Revisions;
    const { functions } = await readSchemaFiles(pathToFileURL(`${server}/`));
    await writeFile(path, renderRevisions(raiseRevisions(known, functions)));
  });
}

/** A release of the past; undefined where the history does not reach that far. */
export async function pastRelease(commit: string): Promise<OtherRelease | undefined> {
  try {
    execFileSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root, stdio: "ignore" });
  } catch {
    return undefined;
  }
  return makeRelease(async (directory) => {
    const paths = PACKAGES.map((name) => `packages/${name}`);
    const archive = execFileSync("git", ["archive", commit, ...paths], { cwd: root, maxBuffer: 1 << 28 });
    execFileSync("tar", ["-x", "-C", directory], { input: archive });
  });
}

async function makeRelease(fill: (directory: string) => Promise<void>): Promise<OtherRelease> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-release-"));
  await fill(directory);
  await linkModules(join(directory, "node_modules"));
  return {
    program: join(directory, "packages/server/bin/millrace.js"),
    schemaFiles: () => readSchemaFiles(pathToFileURL(join(directory, "packages/server/"))),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Libraries are the checkout's; the workspace's own packages are those of the release. */
async function linkModules(to: string): Promise<void> {
  await mkdir(join(to, "@millrace"), { recursive: true });
  for (const name of await readdir(join(root, "node_modules")))
    if (name !== "@millrace") await symlink(join(root, "node_modules", name), join(to, name));
  for (const name of ["contract", "client"])
    await symlink(join(to, "..", "packages", name), join(to, "@millrace", name));
}
