import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { describe } from "vitest";
import { findBrowser } from "./find-browser.ts";

const executable = findBrowser(process.env);
if (!executable && process.env.MILLRACE_BROWSER_REQUIRED === "1")
  throw new Error("No browser was found; install chromium, or set MILLRACE_BROWSER to the path of one.");
if (!executable) console.log("No Chromium was found: the tests of the console are skipped.");

/** Tests that need a real browser; skipped where there is none and nobody demands it. */
export const withBrowser = describe.skipIf(executable === undefined);

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executable!, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  readonly locale?: string;
}

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Everything the page must not do: break the policy, log an error, throw, ask another host, get a refusal. */
  readonly faults: string[];
  /** A refusal with this status and path is part of the test. */
  expectRefusal(status: number, path: string): void;
}

/** A page of its own, watched for everything that must not happen on any page. */
export async function openPage(
  browser: Browser,
  address: string,
  look: Look = {},
  storageState?: BrowserContextOptions["storageState"],
): Promise<WatchedPage> {
  const { width = 1400, height = 900, theme = "light", locale = "en" } = look;
  const context = await browser.newContext({
    baseURL: address,
    ...(storageState && { storageState }),
    viewport: { width, height },
    colorScheme: theme,
    locale,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  // It only bounds hanging.
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  const expected: { status: number; path: string }[] = [];
  await page.addInitScript({
    content: `document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
      console.error("policy: " + violatedDirective + " " + blockedURI + " " + sample))`,
  });
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    // The browser logs each refusal; those that belong to the test were named beforehand.
    if (
      /Failed to load resource/.test(message.text()) &&
      expected.some(({ path }) => message.location().url.includes(path))
    )
      return;
    faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(?:data|blob):/.test(request.url()))
      faults.push(`foreign: ${request.url()}`);
  });
  return {
    page,
    context,
    faults,
    expectRefusal: (status, path) => expected.push({ status, path }),
  };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds, one line each. It is put into the page by the debugger, which no policy binds. */
export async function findBarriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`"axe" in globalThis`))) await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> };
    };
    interface Violation {
      readonly id: string;
      readonly help: string;
      readonly nodes: { readonly target: string[]; readonly failureSummary: string }[];
    }
    const { violations } = await axe.run({
      resultTypes: ["violations"],
      // No rule of these needs the style sheets, which it would read again.
      preload: false,
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary.replaceAll("\n", " ")}`,
      ),
    );
  });
}

/** Whether the page, what it holds, or a dialog can be scrolled sideways, which they never should. */
export async function overflows(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    `[document.documentElement, ...document.querySelectorAll("main, dialog, dialog > div > div")]
      .some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)`,
  );
}

type ShownLook = Required<Pick<Look, "width" | "theme">>;

/** The same page at another width, in other colours. */
async function changeLook(page: Page, { width, theme }: ShownLook): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme });
}

/** So many things of the same making stand for all of them, and so much of a text. */
const THIN_OUT = `(() => {
  for (const element of document.querySelectorAll("body *"))
    for (const child of [...element.children].slice(16)) child.remove();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.slice(0, 2_000);
})()`;

/** What is wrong with a page in any of these looks. One that no script works on may be thinned out before axe reads it. */
export async function findFaults(
  page: Page,
  looks: readonly ShownLook[],
  { thinOut = false } = {},
): Promise<string[]> {
  const faults: string[] = [];
  const inEach = async (find: () => Promise<readonly string[]>) => {
    for (const look of looks) {
      await changeLook(page, look);
      faults.push(...(await find()).map((fault) => `${look.width} ${look.theme}: ${fault}`));
    }
  };
  await inEach(async () => ((await overflows(page)) ? ["can be scrolled sideways"] : []));
  if (thinOut) await page.evaluate(THIN_OUT);
  await inEach(() => findBarriers(page));
  return faults;
}
