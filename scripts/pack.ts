// Compiles the three packages into dist/ and packs them there: dist/<package>/ is what npm would publish, dist/*.tgz is
// what it would send. A package looks like its folder in the checkout, with .js and .d.ts in the places of .ts.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const packages = ["contract", "client", "server"] as const;
type Manifest = Record<string, unknown> & { files: string[]; exports: Record<string, string> };

export function packAll(): string[] {
  rmSync(dist, { recursive: true, force: true });
  // In this order: the server is compiled against the declarations of the other two.
  compile("contract/tsconfig.build.json");
  compile("client/tsconfig.build.json");
  compile("client/tsconfig.cjs.json");
  compile("server/tsconfig.build.json");
  execFileSync(process.execPath, [join(root, "scripts/build-console.mjs")], { stdio: "inherit" });
  cpSync(join(root, "apps/console/dist"), join(dist, "server/console"), { recursive: true });
  execFileSync(process.execPath, [join(root, "site/build.ts")], { stdio: "inherit" });
  cpSync(join(root, "site/dist"), join(dist, "server/site"), { recursive: true });
  for (const examples of ["examples/demo", "examples/templates"])
    cpSync(join(root, examples), join(dist, "server", examples), { recursive: true });
  writeJson("client/cjs/package.json", { type: "commonjs" });
  return packages.map((name) => {
    nameCompiledFiles(name);
    copyRest(name);
    writeJson(`${name}/package.json`, publishedManifest(name));
    return pack(name);
  });
}

function compile(project: string): void {
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", join(root, "packages", project)], {
    stdio: "inherit",
  });
}

/** The compiler leaves the imports of declarations as they were written; not every tool finds `x.d.ts` by `x.ts`. */
function nameCompiledFiles(name: string): void {
  for (const file of globSync("**/*.d.ts", { cwd: join(dist, name) })) {
    const path = join(dist, name, file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(/(?<=")(\.\.?\/[^"]+)\.ts(?=")/g, "$1.js"));
  }
}

/** What is published as it is: SQL, JSON Schemas, words. */
function copyRest(name: string): void {
  const source = join(root, "packages", name);
  const { files } = readManifest(name);
  for (const file of [...files, "README.md"])
    if (existsSync(join(source, file)) && !existsSync(join(dist, name, file)))
      cpSync(join(source, file), join(dist, name, file), { recursive: true });
  cpSync(join(root, "LICENSE"), join(dist, name, "LICENSE"));
}

function publishedManifest(name: string): object {
  const { scripts: _scripts, devDependencies: _development, exports, ...manifest } = readManifest(name);
  const compiled = Object.entries(exports).map(([key, file]) => [key, file.replace(/\.ts$/, ".js")]);
  if (name !== "client") return { ...manifest, exports: Object.fromEntries(compiled) };
  return { ...manifest, main: "./cjs/client.js", exports: clientExports(exports) };
}

/** Each entry as a module and as CommonJS; for tools that do not read `exports`, also as a folder of that name. */
function clientExports(exports: Manifest["exports"]): object {
  return Object.fromEntries(
    Object.entries(exports).map(([key, file]) => {
      const cjs = file.replace("./src/", "./cjs/").replace(/\.ts$/, ".js");
      if (key !== ".") {
        mkdirSync(join(dist, "client", key), { recursive: true });
        writeJson(join("client", key, "package.json"), {
          main: `.${cjs}`,
          types: `.${cjs.replace(/js$/, "d.ts")}`,
        });
      }
      return [key, { import: file.replace(/\.ts$/, ".js"), require: cjs }];
    }),
  );
}

function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as Manifest;
}

function writeJson(file: string, value: object): void {
  writeFileSync(join(dist, file), `${JSON.stringify(value, null, 2)}\n`);
}

function pack(name: string): string {
  const answer = execFileSync("npm", ["pack", "--json", "--pack-destination", dist, join(dist, name)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [{ filename }] = JSON.parse(answer) as [{ filename: string }];
  return join(dist, filename);
}

if (import.meta.main) for (const file of packAll()) console.log(file);
