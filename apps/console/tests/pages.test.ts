import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findBarriers, launchBrowser, overflows, withBrowser } from "./support/browser.ts";
import { type ConsoleWorkspace, signedIn, startWorkspace } from "./support/workspace.ts";

withBrowser("every page", () => {
  let workspace: ConsoleWorkspace;
  let browser: Browser;
  beforeAll(async () => {
    [workspace, browser] = await Promise.all([startWorkspace(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await workspace?.service.stop();
  });

  /** Name, address, and something that is there when the page is. */
  const pages = (): [name: string, path: string, ready: string][] => {
    const { runs } = workspace;
    return [
      ["runs", "/console/runs", "text=flow_hello"],
      ["run", `/console/runs/${runs.completed}?view=graph`, ".react-flow__node"],
      ["timeline", `/console/runs/${runs.failed}?view=timeline`, "text=check"],
      ["rounds", `/console/runs/${runs.loop}?view=list&node=each`, "text=line"],
      ["compare", `/console/compare?a=${runs.completed}&b=${runs.failed}`, "table"],
      ["flows", "/console/flows", "text=flow_loop"],
      ["flow", "/console/flows/flow_hello", ".react-flow__node"],
      ["queue", "/console/queue", "h2"],
      ["approvals", "/console/approvals", "text=Refund 40 to Ada?"],
      ["agents", "/console/agents", "text=agent_helper"],
      ["chat", "/console/agents/agent_helper", "h1"],
      ["webhooks", "/console/webhooks", "h2"],
      ["schedules", "/console/schedules", "h2"],
      ["health", "/console/health", "table"],
      ["keys", "/console/keys", "table"],
      ["credentials", "/console/credentials", "h2"],
      ["members", "/console/members", "table"],
      ["credits", "/console/credits", "h1"],
      ["audit", "/console/audit", "h1"],
      ["nowhere", "/console/nowhere", "h2"],
    ];
  };

  it.each([
    { width: 390, theme: "light", locale: "de" },
    { width: 390, theme: "dark", locale: "en" },
    { width: 1400, theme: "light", locale: "en" },
    { width: 1400, theme: "dark", locale: "de" },
  ] as const)("has no barriers, breaks no policy and does not overflow: %o", async (look) => {
    const { page, context, faults } = await signedIn(browser, workspace, look);
    const found: Record<string, string[]> = {};
    for (const [name, path, ready] of pages()) {
      await page.goto(path);
      const there = page.locator(`main >> ${ready} >> visible=true`).first();
      const late = await there.waitFor().catch((error: unknown) => [String(error)]);
      const barriers = late ?? (await findBarriers(page));
      if (barriers.length > 0) found[path] = barriers;
      if (await overflows(page)) (found[path] ??= []).push("can be scrolled sideways");
      if (process.env.MILLRACE_SCREENSHOTS)
        await page.screenshot({
          path: `${process.env.MILLRACE_SCREENSHOTS}/${name}-${look.width}-${look.theme}.png`,
        });
    }
    expect(found).toEqual({});
    expect(await page.evaluate<unknown>("globalThis.broken")).toBeUndefined();
    expect(faults).toEqual([]);
    await context.close();
  });
});
