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

  /** Address, and something that is there when the page is. */
  const pages = (): [path: string, ready: string][] => {
    const { runs, versions, links } = workspace;
    return [
      ["/console/runs", "text=flow_hello"],
      [`/console/runs/${runs.completed}?view=graph`, ".react-flow__node"],
      [`/console/runs/${runs.failed}?view=timeline`, "text=check"],
      [`/console/runs/${runs.loop}?view=list&node=each`, "text=line"],
      [`/console/compare?a=${runs.completed}&b=${runs.failed}`, "table"],
      [
        `/console/compare?flow=flow_hostile&a=%22${versions[0]}%22&b=%22${versions[1]}%22`,
        ".react-flow__node",
      ],
      [`/console/runs/${runs.hostile}?view=graph`, ".react-flow__node"],
      ["/console/flows/flow_hostile", ".react-flow__node"],
      ["/console/flows", "text=flow_loop"],
      ["/console/flows/flow_hello", ".react-flow__node"],
      ["/console/queue", "h2"],
      ["/console/approvals", "text=Refund 40 to Ada?"],
      ["/console/agents", "text=agent_helper"],
      ["/console/agents/agent_helper", "h1"],
      ["/console/webhooks", "table"],
      ["/console/schedules", "table"],
      ["/console/health", "table"],
      ["/console/keys", "table"],
      ["/console/credentials", "table"],
      ["/console/members", "table"],
      ["/console/credits", "h1"],
      ["/console/audit", "h1"],
      ["/console/nowhere", "h2"],
      [links.approval, "h1"],
      [links.share, "table"],
      ["/docs", "h1"],
    ];
  };

  /** Every page in both themes and at both widths; crossed with each other only where somebody asks for it. */
  const LOOKS = [
    { width: 390, theme: "dark", locale: "de" },
    { width: 1400, theme: "light", locale: "en" },
    { width: 390, theme: "light", locale: "en" },
    { width: 1400, theme: "dark", locale: "de" },
  ] as const;

  it.each(process.env["MILLRACE_ALL_LOOKS"] ? LOOKS : LOOKS.slice(0, 2))(
    "has no barriers, breaks no policy and does not overflow: %o",
    async (look) => {
      const { page, context, faults } = await signedIn(browser, workspace, look);
      const found: Record<string, string[]> = {};
      for (const [path, ready] of pages()) {
        // By far the largest page, and the same for everybody.
        if (path === "/docs" && look.locale === "en") continue;
        await page.goto(path);
        const there = page.locator(`main >> ${ready} >> visible=true`).first();
        const late = await there.waitFor().catch((error: unknown) => [String(error)]);
        // The rest of the largest page is of the same making.
        await page.evaluate(
          `[...document.querySelectorAll(".operation")].slice(12).forEach((one) => one.remove())`,
        );
        const barriers = late ?? (await findBarriers(page));
        if (barriers.length > 0) found[path] = barriers;
        if ((await page.evaluate<unknown>("globalThis.broken")) !== undefined)
          (found[path] ??= []).push("a text became code");
        if (await overflows(page)) (found[path] ??= []).push("can be scrolled sideways");
      }
      expect(found).toEqual({});
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});
