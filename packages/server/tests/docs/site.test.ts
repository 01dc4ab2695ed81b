import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import Fastify, { type FastifyInstance } from "fastify";
import MiniSearch from "minisearch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrokenLinks } from "../../../../site/broken-links.ts";
import { renderSite, type Site as Documentation, writeSite } from "../../../../site/build.ts";
import { renderMarkdown } from "../../../../site/markdown.ts";
import { searchOptions } from "../../../../site/search-terms.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { readConsoleFiles } from "../../src/http/console/console-files.ts";
import { consoleHeaders } from "../../src/http/console/policy.ts";
import { siteRoutes } from "../../src/http/routes/site.ts";
import { buildServer } from "../../src/http/server.ts";
import { Site } from "../../src/http/site.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
let site: Documentation;
let directory: string;
let server: FastifyInstance;
beforeAll(async () => {
  site = await renderSite();
  directory = await mkdtemp(join(tmpdir(), "millrace-site-"));
  writeSite(site, directory);
  server = serverOf(directory);
});
afterAll(async () => {
  await server?.close();
  await rm(directory, { recursive: true, force: true });
});

function serverOf(place: string): FastifyInstance {
  return buildServer({
    routes: siteRoutes(() => readConsoleFiles(place)),
    logger: Fastify().log,
    trustProxy: [],
    isUnavailable: () => false,
    // Nobody has to prove anything here, so nothing of these is ever asked.
    authenticator: undefined as never,
    sessions: undefined as never,
    site: new Site({ host: "127.0.0.1", publicUrl: undefined, webUrl: undefined }),
    limits: { showGuesses() {}, noteCaller() {} } as never,
  });
}

describe("the documentation site", () => {
  it("has no link that leads nowhere, and finds those that do", () => {
    expect(site.brokenLinks).toEqual([]);
    expect(site.linkCount).toBeGreaterThan(1_000);
    const page = '<h2 id="a">A</h2><a href="#a"></a><a href="b.html#x"></a><a href="c.html"></a>';
    const broken = findBrokenLinks(
      new Map([
        ["a.html", page],
        ["b.html", '<h2 id="y">'],
      ]),
    );
    expect(broken).toEqual(["a.html: b.html#x", "a.html: c.html"]);
  });

  it("has a page for every text in docs/, the guides, the API and the client", () => {
    const paths = site.pages.map(({ path }) => path);
    for (const file of globSync("docs/**/*.md", { cwd: root }))
      expect(paths).toContain(file.replace(/^docs\//, "").replace(/\.md$/, ".html"));
    for (const path of [
      "index.html",
      "configuration.html",
      "architecture.html",
      "api/runs.html",
      "client-reference.html",
    ])
      expect(paths).toContain(path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it("shows every node with an example that runs", () => {
    const page = site.files.get("nodes.html")!;
    for (const type of nodeTypes.keys()) {
      expect(page).toContain(`<h2 id="${type}">`);
      expect(page).toContain(`flows test examples/nodes/${type}.yaml`);
    }
  });

  it("shows the methods of the client with their types", () => {
    const page = site.files.get("client-reference.html")!;
    for (const id of ["millraceclient", "runs", "runstrigger"]) expect(page).toContain(` id="${id}"`);
  });

  it("holds no script and no style inside its pages, and loads nothing from elsewhere", () => {
    for (const { path } of site.pages) {
      const html = site.files.get(path)!;
      expect(html, path).not.toMatch(/<style|<script>|<[^>]* style=|<[^>]* on\w+=/);
      expect(html, path).not.toMatch(/<(?:script|link|img|iframe)[^>]*(?:src|href)="https?:/);
    }
  });

  it("shows markup in a text as text", () => {
    const { html } = renderMarkdown("# A\n\n<script>alert(1)</script>\n\n`<b>`", (target) => target);
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script");
  });

  it.each([
    ["for-each", "nodes.html#for-each"],
    ["retry", "errors-and-retries.html"],
    ["MILLRACE_POOL_SIZE", "configuration.html"],
    ["idempotencyKey", "api/runs.html"],
  ])("finds %s", (query, url) => {
    const [, index] = [...site.files].find(([path]) => /^assets\/index-.*\.json$/.test(path))!;
    const found = MiniSearch.loadJSON(index, searchOptions).search(query).slice(0, 12);
    const urls = found.map((result) => String(result["url"]));
    expect(
      urls.some((one) => one.startsWith(url)),
      urls.join(" "),
    ).toBe(true);
    if (query === "for-each") expect(urls[0]).toBe(url);
  });
});

describe("the service", () => {
  it.each(["/docs/", "/docs/index.html", "/docs/nodes.html", "/docs/guides/order.html"])(
    "serves %s under the policy of all pages",
    async (url) => {
      const { statusCode, headers, body } = await server.inject({ url });
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({ ...consoleHeaders, "content-type": "text/html; charset=utf-8" });
      expect(body).toContain("<h1>");
    },
  );

  it("lets browsers keep what is named by its content, compressed", async () => {
    const [path] = [...site.files].find(([name]) => name.endsWith(".css"))!;
    const { headers } = await server.inject({ url: `/docs/${path}`, headers: { "accept-encoding": "br" } });
    expect(headers["content-encoding"]).toBe("br");
    expect(headers["cache-control"]).toContain("immutable");
  });

  it("knows no other page, and nothing outside", async () => {
    for (const url of ["/docs/nothing.html", "/docs/guides/", "/docs/..%2f..%2fpackage.json"])
      expect((await server.inject({ url })).statusCode).toBe(404);
  });

  it("is built with every installation that has what it needs, and keeps nobody from installing", async () => {
    const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    expect(scripts.prepare).toContain("node scripts/build-site.mjs");
    const checkout = join(directory, "..", `${basename(directory)}-checkout`);
    await mkdir(join(checkout, "scripts"), { recursive: true });
    await copyFile(join(root, "scripts/build-site.mjs"), join(checkout, "scripts/build-site.mjs"));
    const install = () => {
      const done = spawnSync(process.execPath, [join(checkout, "scripts/build-site.mjs")], {
        encoding: "utf8",
      });
      return [done.status, done.stdout.trim()];
    };
    expect(install()).toEqual([0, "The documentation is not built: development dependencies were left out."]);
    for (const needed of ["node_modules/marked", "node_modules/minisearch", "node_modules/rolldown", "site"])
      await mkdir(join(checkout, needed), { recursive: true });
    await writeFile(join(checkout, "site/build.ts"), `console.log(process.cwd() as string)`);
    expect(install()).toEqual([0, await realpath(checkout)]);
    await writeFile(join(checkout, "site/build.ts"), `process.exitCode = 1`);
    expect(install()).toEqual([0, expect.stringContaining("to see why: npm run site")]);
    await rm(checkout, { recursive: true });
  });

  it("says how to build it where nobody did", async () => {
    const bare = serverOf(join(directory, "nothing-here"));
    const { statusCode, body, headers } = await bare.inject({ url: "/docs/" });
    expect(statusCode).toBe(200);
    expect(body).toContain("npm run site");
    expect(headers).toMatchObject(consoleHeaders);
    expect((await bare.inject({ url: "/docs/nodes.html" })).statusCode).toBe(404);
    await bare.close();
  });
});
