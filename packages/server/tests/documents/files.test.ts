import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DocumentFaults } from "../../src/domain/documents/fault.ts";
import { readDocuments } from "../../src/operations/apply-documents/read-documents.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "millrace-files-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function place(name: string, files: Record<string, string | Buffer>): Promise<string> {
  const root = join(directory, name);
  await mkdir(root);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(join(root, file, ".."), { recursive: true });
    await writeFile(join(root, file), content);
  }
  return root;
}

async function faultsOf(path: string): Promise<string[]> {
  try {
    await readDocuments([path]);
  } catch (error) {
    if (error instanceof DocumentFaults) return error.faults.map(({ message }) => message);
    throw error;
  }
  return [];
}

const organization = (id: string) => `kind: Organization\nid: ${id}\nname: A\n`;

describe("the files of a directory", () => {
  it("are all .yaml, .yml and .json files below it, hidden ones and those of other tools aside", async () => {
    const root = await place("all", {
      "a.yaml": organization("org_a"),
      "deep/er/b.yml": organization("org_b"),
      "c.json": JSON.stringify({ kind: "Organization", id: "org_c", name: "C" }),
      "notes.txt": "kind: Nonsense",
      ".hidden/d.yaml": "kind: Nonsense",
      "node_modules/e.yaml": "kind: Nonsense",
      "package.json": "{}",
      "deep/package-lock.json": "{}",
      "tsconfig.json": "{}",
      "tsconfig.build.json": "{}",
      "pnpm-workspace.yaml": "packages: []",
      "docker-compose.override.yml": "services: {}",
    });
    await symlink(root, join(root, "loop"));
    const ids = (await readDocuments([root])).map(({ document }) => document.id);
    expect(ids).toEqual(["org_a", "org_c", "org_b"]);
    // By its own name it is meant.
    expect(await faultsOf(join(root, "package.json"))).toEqual([expect.stringContaining("has no kind")]);
  });

  it("may be links to files elsewhere, as mounted configuration is", async () => {
    const root = await place("linked", { "..data/a.yaml": organization("org_a") });
    await symlink(join(root, "..data", "a.yaml"), join(root, "a.yaml"));
    expect(await readDocuments([root])).toHaveLength(1);
  });

  it("are refused above 10 MB, unless they are UTF-8, and where there is none", async () => {
    expect(await faultsOf(await place("large", { "a.yaml": Buffer.alloc(10_000_001, "#") }))).toEqual([
      "larger than 10 MB; split it",
    ]);
    expect(await faultsOf(await place("latin", { "a.yaml": Buffer.from([0xff, 0xfe, 0x41]) }))).toEqual([
      "not UTF-8 text",
    ]);
    expect(await faultsOf(await place("empty", {}))).toEqual(["no documents in .yaml, .yml or .json files"]);
    expect(await faultsOf(join(directory, "nowhere"))).toEqual(["no such file or directory"]);
  });

  it("hold 10,000 documents together and not one more", async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => organization(`org_${n}`)).join("---\n");
    const root = await place("many", { "a.yaml": many });
    expect(await readDocuments([root])).toHaveLength(10_000);
    await writeFile(join(root, "b.yaml"), organization("org_more"));
    expect(await faultsOf(root)).toEqual(["more than 10000 documents; apply them in parts"]);
  });
});
