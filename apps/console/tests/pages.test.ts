import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { findFaults } from "./support/browser.ts";
import { HOSTILE, HOSTILE_NAME } from "./support/hostile.ts";
import { withConsole } from "./support/with-console.ts";

const EDITOR = "/console/flows/flow_hostile_draft/edit";

/** So many pages take a while on a busy machine. */
const HANG_MS = 300_000;

withConsole("every page", ({ workspace, visit }) => {
  /** A chat in which somebody wrote what no page must take for markup. */
  let session: string;

  beforeAll(async () => {
    const { service } = workspace();
    const { key } = service;
    const base = "/api/agents/agent_helper/sessions";
    const begun = await service.send("POST", base, { key, body: { endUserId: HOSTILE_NAME } });
    session = begun.body.data.sessionId;
    const message = HOSTILE.replaceAll("\u0007", "");
    await service.send("POST", `${base}/${session}/messages`, { key, body: { message } });
    // From now on runs wait.
    await service.database.pool.query(`UPDATE organizations SET concurrency_limit = 0 WHERE id = 'org_run'`);
    await service.begin("flow_hostile", { tags: [HOSTILE_NAME] });
  });

  /** Address, and something that is there when the page is. */
  type Pages = [path: string, ready: string][];
  const pages = (): Pages => {
    const { runs, versions } = workspace();
    return [
      ["/console/runs", "text=flow_hello"],
      [`/console/runs?tag=${encodeURIComponent(HOSTILE_NAME)}`, "[data-row]"],
      [`/console/runs/${runs.failed}?view=list&node=check&tab=error`, "[role=tabpanel] pre"],
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
      ["/console/queue", "td"],
      ["/console/approvals", "text=Refund 40 to Ada?"],
      ["/console/agents", "text=agent_helper"],
      ["/console/agents/agent_helper", "h1"],
      [`/console/agents/agent_helper?session=${session}`, "li[data-by=me]"],
      ["/console/webhooks", "table"],
      ["/console/webhooks?endpoint=hooks_hostile", '[aria-label$=": hooks_hostile"] td'],
      ["/console/schedules", "table"],
      ["/console/health", "table"],
      ["/console/keys", "table"],
      ["/console/credentials", "table"],
      ["/console/members", "table"],
      ["/console/credits", "h1"],
      ["/console/audit", "h1"],
      ["/console/nowhere", "h2"],
    ];
  };

  const editorPages = (): Pages => [
    [`${EDITOR}?pane=canvas&node=keep`, ".react-flow__node"],
    [`${EDITOR}?pane=outline&node=in`, "[data-node=in]"],
    [`${EDITOR}?pane=outline&node=keep&panel=values`, "section h2"],
    [`${EDITOR}?pane=yaml&panel=flow`, ".cm-line"],
    [`${EDITOR}?pane=canvas&node=call&panel=tests`, "[data-passed]"],
  ];
  const pagesWithoutSession = (): Pages => {
    const { links } = workspace();
    return [
      [links.approval, "h1"],
      [links.share, "table"],
      ["/docs", "h1"],
    ];
  };

  /** Every page in both themes and at both widths; crossed with each other only where somebody asks for it. */
  const LOOKS = [
    { width: 390, theme: "dark" },
    { width: 1400, theme: "light" },
    { width: 390, theme: "light" },
    { width: 1400, theme: "dark" },
  ] as const;

  const looks = process.env["MILLRACE_ALL_LOOKS"] ? LOOKS : LOOKS.slice(0, 2);

  it.each([
    ["of the console", pages],
    ["of the editor", editorPages],
    ["without a session", pagesWithoutSession],
  ])(
    "%s has no barriers, breaks no policy and does not overflow, in the longest language",
    async (_, some) => {
      const page = await visit("/console/nowhere", { locale: "de" });
      const found: Record<string, string[]> = {};
      for (const [path, ready] of some()) {
        await goWithoutLoading(page, path);
        const late = await findLate(page, ready);
        const thinOut = !path.startsWith("/console/");
        const faults = late ? [late] : await findFaults(page, looks, { thinOut });
        if (await isBroken(page)) faults.push("a text became code");
        if (faults.length > 0) found[path] = faults;
      }
      expect(found).toEqual({});
    },
    HANG_MS,
  );

  it("opens no dialog with barriers, or wider than a phone", async () => {
    const { runs } = workspace();
    const dialogs: [path: string, button: string][] = [
      [`/console/runs/${runs.hostile}`, "Abzweigen"],
      [`/console/runs/${runs.hostile}`, "Teilen"],
      ["/console/runs?flow=flow_hostile", "Alle gezeigten abbrechen"],
      ["/console/flows/flow_hostile", "Lauf starten"],
      ["/console/webhooks", "Signaturgeheimnis"],
      ["/console/webhooks", "Neue Adresse"],
      ["/console/keys", "Schlüssel erstellen"],
      ["/console/credentials", "Zugangsdaten hinzufügen"],
    ];
    const page = await visit("/console/nowhere", { locale: "de" });
    const found: Record<string, string[]> = {};
    for (const [at, [path, button]] of dialogs.entries()) {
      await goWithoutLoading(page, path);
      await page.getByRole("main").getByRole("button", { name: button, exact: true }).first().click();
      await page.getByRole("dialog").waitFor();
      const faults = await findFaults(page, [looks[at % 2]!]);
      if (await isBroken(page)) faults.push("a text became code");
      if (faults.length > 0) found[`${path} ${button}`] = faults;
      await page.keyboard.press("Escape");
    }
    expect(found).toEqual({});
  });

  it("speaks one language, drawings too", async () => {
    const page = await visit("/console/nowhere", { locale: "de" });
    for (const path of [`/console/runs/${workspace().runs.hostile}`, `${EDITOR}?pane=canvas`]) {
      await goWithoutLoading(page, path);
      const buttons = page.locator(".react-flow__controls button");
      await buttons.first().waitFor();
      const names = await Promise.all(
        (await buttons.all()).map((button) => button.getAttribute("aria-label")),
      );
      expect(names).toEqual(["Vergrößern", "Verkleinern", "Alles zeigen"]);
      expect(await page.getByText("Press ").count()).toBe(0);
    }
  });

  it("opens by its address", async () => {
    const page = await visit("/console/nowhere");
    const found: Record<string, string> = {};
    // Those without a session have no other way, and were opened so above.
    for (const [path, ready] of [...pages(), ...editorPages()]) {
      await page.goto(path);
      const fault =
        (await findLate(page, ready)) ?? ((await isBroken(page)) ? "a text became code" : undefined);
      if (fault) found[path] = fault;
    }
    expect(found).toEqual({});
  });
});

/** As a link of the console does; first to a page with nothing on it that the next could be taken for. */
async function goWithoutLoading(page: Page, path: string): Promise<void> {
  const go = (to: string) => page.evaluate(`history.pushState({}, "", ${JSON.stringify(to)})`);
  if (!path.startsWith("/console/")) return void (await page.goto(path));
  await go("/console/nowhere");
  await page.getByRole("heading", { name: "Seite nicht gefunden" }).waitFor();
  await go(path);
}

/** Why the page did not come, where it did not. */
async function findLate(page: Page, ready: string): Promise<string | undefined> {
  const there = page.locator(`main >> ${ready} >> visible=true`).first();
  return there.waitFor().then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

async function isBroken(page: Page): Promise<boolean> {
  return (await page.evaluate<unknown>("globalThis.broken")) !== undefined;
}
