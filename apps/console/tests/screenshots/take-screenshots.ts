// Pictures of every page of the console, with the demo workspace as its first start leaves it: docs/images/*.webp.
// `npm run screenshots -- --all <directory>` makes them at both widths, in both themes, in English and German.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { findBrowser } from "../support/find-browser.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const all = process.argv.includes("--all") ? process.argv.at(-1) : undefined;
const QUALITY = 0.75;

interface Look {
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
  readonly locale: string;
}

const DESKTOP: Look = { width: 1400, height: 860, theme: "light", locale: "en" };
const PHONE: Look = { width: 390, height: 844, theme: "dark", locale: "en" };
const EVERY: readonly Look[] = (["en", "de"] as const).flatMap((locale) =>
  (["light", "dark"] as const).flatMap((theme) => [
    { ...DESKTOP, theme, locale },
    { ...PHONE, theme, locale },
  ]),
);

/** Those that are worth a picture of a phone. */
const ON_A_PHONE = new Set(["runs", "run", "approvals"]);

const executablePath = findBrowser(process.env);
if (!executablePath) throw new Error("No browser was found; install chromium, or set MILLRACE_BROWSER.");

const directory = await mkdtemp(join(tmpdir(), "millrace-screenshots-"));
const service = await startService(directory);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
try {
  const state = await signIn(service.link);
  const target = all ?? join(root, "docs/images");
  await mkdir(target, { recursive: true });
  for (const look of all === undefined ? [DESKTOP, PHONE] : EVERY) await takeAll(state, look, target);
} finally {
  await browser.close();
  await service.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

async function takeAll(state: State, look: Look, target: string): Promise<void> {
  const context = await openContext(state, look);
  const page = await context.newPage();
  const blank = await context.newPage();
  for (const [name, path, ready] of await pagesOf(page)) {
    if (all === undefined && look === PHONE && !ON_A_PHONE.has(name)) continue;
    await page.goto(new URL(path, service.address).href);
    await page.locator(`${ready} >> visible=true`).first().waitFor();
    // What is still on its way has a moment to arrive.
    await page.waitForTimeout(700);
    const suffix =
      all === undefined
        ? look === PHONE
          ? "-on-a-phone"
          : ""
        : `-${look.width}-${look.theme}-${look.locale}`;
    const picture = await page.screenshot();
    if (all === undefined)
      await writeFile(join(target, `${name}${suffix}.webp`), await toWebp(blank, picture));
    else await writeFile(join(target, `${name}${suffix}.png`), picture);
  }
  await context.close();
}

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

function openContext(storageState: State | undefined, look: Look): Promise<BrowserContext> {
  const { width, height, theme, locale } = look;
  return browser.newContext({
    ...(storageState && { storageState }),
    viewport: { width, height },
    colorScheme: theme,
    locale,
    reducedMotion: "reduce",
  });
}

async function signIn(link: string): Promise<State> {
  const context = await openContext(undefined, DESKTOP);
  const page = await context.newPage();
  await page.goto(link);
  await page.locator("#main h1").waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Name, address, and something that is there when the page is. */
async function pagesOf(page: Page): Promise<[name: string, path: string, ready: string][]> {
  await page.goto(new URL("/console/runs", service.address).href);
  await page.locator("[data-row]").first().waitFor();
  const { data: found } = await ask<{ data: { id: string; status: string; payload: { flowId: string } }[] }>(
    page,
    "/api/runs?page[size]=100",
  );
  const run = (flowId: string, status: string) =>
    found.find((one) => one.payload.flowId === flowId && one.status === status)?.id ?? found[0]!.id;
  const failed = run("flow_fruit", "FAILED");
  const completed = run("flow_fruit", "COMPLETED");
  const asking = found.find((one) => one.status === "PAUSED" && one.payload.flowId === "flow_approval")!.id;
  const { pause } = await ask<{ pause: { resumeUrl: string } }>(page, `/api/runs/${asking}`);
  const share = await ask<{ url: string }>(page, `/manage/runs/${completed}/share`, { reveal: ["lines"] });
  return [
    ["runs", "/console/runs", "[data-row]"],
    ["run", `/console/runs/${completed}?view=graph&node=lines`, ".react-flow__node"],
    ["failed-run", `/console/runs/${failed}?view=graph&node=price&tab=output`, ".react-flow__node"],
    ["timeline", `/console/runs/${run("flow_watch", "EXECUTING")}?view=timeline`, "text=rounds"],
    ["compare", `/console/compare?a=${failed}&b=${completed}`, ".react-flow__node"],
    ["flows", "/console/flows", "table"],
    ["flow", "/console/flows/flow_fruit", ".react-flow__node"],
    // A phone has the outline, not the canvas.
    ["editor", "/console/flows/flow_fruit/edit?node=price", ".react-flow__node, [data-node]"],
    ["templates", "/console/templates", "h2"],
    ["queue", "/console/queue", "h1"],
    ["approvals", "/console/approvals", "article"],
    ["agents", "/console/agents", "table"],
    ["chat", "/console/agents/agent_helper", "table"],
    ["webhooks", "/console/webhooks", "h2"],
    ["schedules", "/console/schedules", "table"],
    ["keys", "/console/keys", "table"],
    ["credentials", "/console/credentials", "h2"],
    ["members", "/console/members", "table"],
    ["credits", "/console/credits", "h1"],
    ["audit", "/console/audit", "table"],
    ["health", "/console/health", "table"],
    ["docs", "/docs#triggerRun", "h1"],
    ["answer", pause.resumeUrl, "form"],
    ["shared-run", share.url, "table"],
  ];
}

/** What the service answers to whoever has signed in. */
function ask<Answer>(page: Page, path: string, body?: object): Promise<Answer> {
  const how = body && {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return page.evaluate<Answer>(
    `fetch(${JSON.stringify(path)}, ${JSON.stringify(how ?? {})}).then((answer) => answer.json()).then(({ data }) => data)`,
  );
}

/** A browser can write WebP, so nothing else has to. */
async function toWebp(blank: Page, png: Buffer): Promise<Buffer> {
  const url = await blank.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png.toString("base64")}";
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", ${QUALITY});
  })()`);
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

interface Service {
  readonly address: string;
  readonly link: string;
  stop(): Promise<void>;
}

async function startService(dataDirectory: string): Promise<Service> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, "packages/server/bin/millrace.js"), "start"], {
    env: { PATH: process.env.PATH, MILLRACE_DATA_DIR: dataDirectory, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let printed = "";
  const link = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /http\S+\/console\/login#[\w-]{43}/.exec(printed)?.[0];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error(`The service ended: ${printed}`)));
  });
  return {
    address: `http://127.0.0.1:${port}`,
    link,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
