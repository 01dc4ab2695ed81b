import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchBrowser, type Look, openPage, type WatchedPage, withBrowser } from "./browser.ts";
import { openSignedIn } from "./signed-in.ts";
import { type ConsoleWorkspace, startWorkspace } from "./workspace.ts";

export interface ConsoleTest {
  workspace(): ConsoleWorkspace;
  /** A page of somebody who has signed in, the owner unless another key is given, at this address. */
  visit(path: string, look?: Look, key?: string): Promise<WatchedPage["page"]>;
  /** The same, of the owner, where errors in the browser's console belong to the test. */
  visitUnwatched(path: string): Promise<WatchedPage["page"]>;
  /** An empty page of somebody who has not. */
  visitor(look?: Look): Promise<WatchedPage["page"]>;
}

/**
 * Tests that share one service, one workspace, one browser, and the pages of each person who has signed in: a browser takes
 * longer to open one than to go on. No page of theirs may do what none must.
 */
export function withConsole(name: string, tests: (console: ConsoleTest) => void): void {
  withBrowser(name, () => {
    let workspace: ConsoleWorkspace;
    let browser: Browser;
    const opened: WatchedPage[] = [];
    const signedIn = new Map<string, WatchedPage>();
    beforeAll(async () => {
      [workspace, browser] = await Promise.all([startWorkspace(), launchBrowser()]);
    });
    afterEach(() => {
      expect(opened.flatMap(({ faults }) => faults.splice(0))).toEqual([]);
    });
    afterAll(async () => {
      await browser?.close();
      await workspace?.service.stop();
    });
    const keep = (watched: WatchedPage) => {
      opened.push(watched);
      return watched.page;
    };
    tests({
      workspace: () => workspace,
      async visit(path, look = {}, key = workspace.ownerKey) {
        const { address } = workspace.service;
        const name = JSON.stringify([key, look]);
        const known = signedIn.get(name);
        const watched = known ?? (await openSignedIn({ browser, address, key }, look));
        signedIn.set(name, watched);
        const page = known ? known.page : keep(watched);
        await page.goto(path);
        return page;
      },
      async visitUnwatched(path) {
        const { service, ownerKey: key } = workspace;
        const { page } = await openSignedIn({ browser, address: service.address, key }, {});
        await page.goto(path);
        return page;
      },
      visitor: async (look = {}) => keep(await openPage(browser, workspace.service.address, look)),
    });
  });
}
