// What publishing would do, without doing it: the packed files of dist/ are installed in an empty folder, and what came with
// them is written to dist/sbom.cdx.json (CycloneDX); then `npm publish --dry-run` takes each. Run `npm run pack` first.
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface Component {
  readonly name: string;
  readonly version?: string;
  readonly hashes?: readonly unknown[];
  readonly licenses?: readonly { readonly license?: { readonly id?: string; readonly name?: string } }[];
}

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const packed = globSync("*.tgz", { cwd: dist }).map((file) => join(dist, file));
if (packed.length === 0) fail("dist/ holds no packed files; run: npm run pack");

const folder = mkdtempSync(join(tmpdir(), "millrace-release-"));
try {
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "millrace-release", version: "0.0.0", private: true }),
  );
  npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packed]);
  const bill = npm(["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"]);
  const { components } = JSON.parse(bill) as { components: readonly Component[] };
  const nameless = components.filter(({ version, licenses }) => !version || !licenses?.length);
  if (nameless.length > 0) fail(`no version or license: ${nameless.map(({ name }) => name).join(", ")}`);
  writeFileSync(join(dist, "sbom.cdx.json"), bill);
  console.log(`dist/sbom.cdx.json: ${components.length} components; ${licensesOf(components)}`);
  for (const file of packed) {
    npm(["publish", "--dry-run", file]);
    console.log(`npm would publish ${file.slice(dist.length + 1)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function npm(args: readonly string[]): string {
  return execFileSync("npm", args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64_000_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function licensesOf(components: readonly Component[]): string {
  const counts = new Map<string, number>();
  for (const { licenses = [] } of components)
    for (const { license } of licenses) {
      const name = license?.id ?? license?.name ?? "by expression";
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
