import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { locales } from "@millrace/contract/locales";
import { startRunService, type RunTestService } from "../../../packages/server/tests/support/runs-service.ts";
import { findFaults, launchBrowser, openPage, overflows, withBrowser } from "./support/browser.ts";

withBrowser("the sign-in page", () => {
  let service: RunTestService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startRunService(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it("has no barriers at any width, in any colours, and makes no request that fails", async () => {
    const { page, context, faults } = await openPage(browser, service.address);
    const refused: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() >= 400) refused.push(answer.url());
    });
    await page.goto("/console/runs/run_1?view=list");
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/login");
    const looks = [390, 1400].flatMap((width) =>
      (["light", "dark"] as const).map((theme) => ({ width, theme })),
    );
    expect(await findFaults(page, looks)).toEqual([]);
    expect(refused).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("speaks the browser's language, and any other that is chosen, for good", async () => {
    const { page, context, faults } = await openPage(browser, service.address, {
      locale: "de-AT",
      width: 390,
    });
    await page.goto("/console/login");
    await page.getByRole("heading", { name: "Anmelden" }).waitFor();
    await page.locator("html[lang=de]").waitFor();
    const chooser = page.getByLabel("Sprache");
    expect(await chooser.locator("option").allTextContents()).toEqual([
      "English",
      "Türkçe",
      "Español",
      "Français",
      "Deutsch",
    ]);
    for (const locale of locales) {
      await page.locator("#language").selectOption(locale);
      await page.locator(`html[lang=${locale}]`).waitFor();
      expect(await overflows(page), locale).toBe(false);
    }
    await page.locator("#language").selectOption("fr");
    await page.locator("html[lang=fr]").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Se connecter" }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("keeps the theme that was chosen", async () => {
    const { page, context } = await openPage(browser, service.address);
    await page.goto("/console/login");
    const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    const light = await background();
    await page.getByLabel("Theme").selectOption("dark");
    await expect.poll(background).not.toBe(light);
    const dark = await background();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    expect(await background()).toBe(dark);
    await context.close();
  });
});
