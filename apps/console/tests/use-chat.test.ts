import { once } from "node:events";
import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChatTest, startChat } from "../../../packages/server/tests/agent-chat/support.ts";
import { chain, node } from "../../../packages/server/tests/support/runs-flows.ts";
import { addFlow } from "../../../packages/server/tests/support/workspace.ts";
import { launchBrowser, openPage, withBrowser } from "./support/browser.ts";

withBrowser("useChat of the AI SDK, in a page", () => {
  let chat: ChatTest;
  let site: Server;
  let address: string;
  let browser: Browser;

  beforeAll(async () => {
    chat = await startChat({
      design: { tools: [{ flow: "flow_weather", description: "Tells the weather" }] },
      upstream: ({ body }) => {
        const { role, content } = body.messages.at(-1)!;
        if (role === "tool") return { text: `It says ${String(content)}` };
        if (content === "weather")
          return { text: "Looking. ", toolCalls: [{ name: "flow_weather", arguments: {} }] };
        if (content === "break") return { status: 500 };
        return { text: `You said ${String(content)}` };
      },
    });
    const answer = node("answer", "return", { value: { weather: "rain" } });
    await addFlow(chat.db, "org_one", "flow_weather", { graph: chain(answer) });
    const [script, opened] = await Promise.all([bundle(), launchBrowser()]);
    browser = opened;
    site = createServer((request, response) => serve(script, request, response)).listen(0, "127.0.0.1");
    await once(site, "listening");
    address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser?.close();
    site?.closeAllConnections();
    site?.close();
    await chat?.stop();
  });

  /** The page's own server: the key is here, and never in the browser. */
  function serve(script: string, request: IncomingMessage, response: ServerResponse): void {
    const { url = "/", method } = request;
    if (url.startsWith("/chat/")) {
      const headers = { ...request.headers, authorization: `Bearer ${chat.keys.one}` };
      const passed = send(chat.service.address + url.slice("/chat".length), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
      return;
    }
    const isPage = url === "/";
    response.writeHead(isPage || url === "/page.js" ? 200 : 204, {
      "content-type": isPage ? "text/html" : "text/javascript",
    });
    response.end(
      isPage
        ? `<!doctype html><title>Chat</title><div id="root"></div><script type="module" src="/page.js"></script>`
        : url === "/page.js"
          ? script
          : undefined,
    );
  }

  it("sends messages, shows tools and replies, and goes on after the page was loaded anew", async () => {
    const { page, context, faults } = await openPage(browser, address);
    await page.goto("/");
    const said = (role: string) => page.locator(`li[data-role=${role}]`);
    const say = async (text: string) => {
      await page.getByLabel("Message").fill(text);
      await page.keyboard.press("Enter");
    };
    await say("Hello");
    await said("assistant").getByText("You said Hello").waitFor();
    await say("weather");
    await said("assistant").nth(1).getByText('It says {"weather":"rain"}').waitFor();
    expect(await said("assistant").nth(1).locator("code").textContent()).toBe(
      "flow_weather output-available",
    );
    expect(await said("assistant").nth(1).locator("span").first().textContent()).toBe("Looking. ");
    await page.getByText("ready").waitFor();
    await page.reload();
    await say("And now?");
    await said("assistant").getByText("You said And now?").waitFor();
    // The service kept what was said before.
    expect(chat.upstream.requests.at(-1)!.body.messages.filter(({ role }) => role === "user")).toHaveLength(
      3,
    );
    expect(faults).toEqual([]);
    await context.close();
  });

  it("shows why a reply failed, and takes the next message", async () => {
    const { page, context, expectRefusal } = await openPage(browser, address);
    expectRefusal(502, "/chat/");
    await page.goto("/");
    await page.getByLabel("Message").fill("break");
    await page.keyboard.press("Enter");
    await page.getByText(/^error: /).waitFor();
    await page.getByLabel("Message").fill("Hello");
    await page.keyboard.press("Enter");
    await page.locator("li[data-role=assistant]").getByText("You said Hello").waitFor();
    await context.close();
  });
});

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      rollupOptions: { input: fileURLToPath(new URL("fixtures/use-chat-page.js", import.meta.url)) },
    },
  });
  const { output } = built as unknown as { output: { type: string; code: string }[] };
  return output.find(({ type }) => type === "chunk")!.code;
}
