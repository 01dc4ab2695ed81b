import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { findBarriers, overflows } from "./support/browser.ts";
import { withConsole } from "./support/with-console.ts";

withConsole("every page", ({ workspace, visit }) => {
  /** Address, and something that is there when the page is. */
  const pages = (): [path: string, ready: string][] => {
    const { runs, versions, links } = workspace();
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
      ["/console/templates", "h2"],
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

  /**
   * Every page in both themes and at both widths; crossed with each other only where somebody asks for it. Once each is
   * opened by its address, and once from another page.
   */
  const LOOKS = [
    { width: 390, theme: "dark", locale: "de", go: byAddress },
    { width: 1400, theme: "light", locale: "en", go: fromAnother },
    { width: 390, theme: "light", locale: "en", go: fromAnother },
    { width: 1400, theme: "dark", locale: "de", go: byAddress },
  ] as const;

  it.each(process.env["MILLRACE_ALL_LOOKS"] ? LOOKS : LOOKS.slice(0, 2))(
    "has no barriers, breaks no policy and does not overflow: $width $theme $locale",
    async ({ go, ...look }) => {
      const page = await visit("/console/nowhere", look);
      const found: Record<string, string[]> = {};
      for (const [path, ready] of pages()) {
        // By far the largest page, and the same for everybody.
        if (path === "/docs" && look.locale === "en") continue;
        await go(page, path);
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
    },
  );
});

async function byAddress(page: Page, path: string): Promise<void> {
  await page.goto(path);
}

/** Without loading the console anew; first to a page with nothing on it that the next could be taken for. */
async function fromAnother(page: Page, path: string): Promise<void> {
  if (!path.startsWith("/console/")) return byAddress(page, path);
  await page.evaluate(`history.pushState({}, "", "/console/nowhere")`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
}
