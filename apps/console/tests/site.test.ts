import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConsoleFiles } from "../../../packages/server/src/http/console/console-files.ts";
import { siteRoutes } from "../../../packages/server/src/http/routes/site.ts";
import { buildServer } from "../../../packages/server/src/http/server.ts";
import { Site } from "../../../packages/server/src/http/site.ts";
import { renderSite, writeSite } from "../../../site/build.ts";
import { findFaults, launchBrowser, openPage, withBrowser } from "./support/browser.ts";

withBrowser("the documentation, as the service serves it", () => {
  let directory: string;
  let server: FastifyInstance;
  let address: string;
  let browser: Browser;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "millrace-site-"));
    writeSite(await renderSite(), directory);
    server = buildServer({
      routes: siteRoutes(() => readConsoleFiles(directory)),
      logger: Fastify().log,
      trustProxy: [],
      isUnavailable: () => false,
      authenticator: undefined as never,
      sessions: undefined as never,
      site: new Site({ host: "127.0.0.1", publicUrl: undefined, webUrl: undefined }),
      limits: { showGuesses() {}, noteCaller() {} } as never,
    });
    address = await server.listen({ host: "127.0.0.1", port: 0 });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const PAGES = ["", "quickstart", "nodes", "playground", "comparison", "api/runs"];

  const LOOKS = [
    { width: 390, theme: "dark" },
    { width: 1400, theme: "light" },
  ] as const;

  it("has no barriers, breaks no policy and does not overflow", async () => {
    const { page, context, faults } = await openPage(browser, address);
    const found: Record<string, string[]> = {};
    for (const name of PAGES) {
      await page.goto(`/docs/${name && `${name}.html`}`);
      const wrong = await findFaults(page, LOOKS, { thinOut: true });
      if (wrong.length > 0) found[name] = wrong;
    }
    expect(found).toEqual({});
    expect(faults).toEqual([]);
    await context.close();
  });

  it("finds a node by its name, by keyboard alone", async () => {
    const { page, context, faults } = await openPage(browser, address);
    await page.goto("/docs/guides/order.html");
    await page.keyboard.press("/");
    await page.keyboard.type("for-each");
    const first = page.locator("#results a").first();
    await first.waitFor();
    await page.locator("#results[data-milliseconds]").waitFor();
    console.log(
      `for-each was found in ${await page.locator("#results").getAttribute("data-milliseconds")} ms`,
    );
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/nodes.html#for-each");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("evaluates expressions in the page, costly ones too, and says what is wrong", async () => {
    const { page, context, faults } = await openPage(browser, address);
    await page.goto("/docs/playground.html");
    const result = page.locator("#result");
    const shows = (text: string) => expect.poll(() => result.textContent()).toBe(text);
    await shows('"Hello Ada"');
    const cases = [
      ["{{ data.amount * 2 }}", "240"],
      ["{{ $map([1, 2], function($n) { $n * $n }) }}", "[\n  1,\n  4\n]"],
      ["{{ $replace('a-b', /-/, '_') }}", '"a_b"'],
      ["{{ data.missing }}", "nothing"],
      ["{{ $filter([1], function($n) { $n > 1 }) }}", "nothing"],
    ];
    for (const [input, value] of cases) {
      await page.locator("#template").fill(input!);
      await shows(value!);
    }
    await page.locator("#template").fill("{{ ( $f := function() { $f() }; $f() ) }}");
    await expect.poll(() => result.getAttribute("class")).toBe("fault");
    await page.locator("#template").fill("{{ data. }}");
    await expect.poll(() => result.getAttribute("class")).toBe("fault");
    await page.locator("#template").fill("{{ data.amount }}");
    await page.locator("#scope").fill("{");
    await expect.poll(() => result.textContent()).toContain("no JSON");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("keeps the colours that somebody chose", async () => {
    const { page, context } = await openPage(browser, address, { theme: "light" });
    await page.goto("/docs/");
    const colour = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const light = await colour();
    await page.getByRole("button", { name: "Dark" }).click();
    await expect.poll(colour).not.toBe(light);
    const dark = await colour();
    await page.goto("/docs/nodes.html");
    expect(await colour()).toBe(dark);
    await context.close();
  });
});
