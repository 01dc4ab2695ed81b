import type { Page } from "playwright-core";
import { type Hands, optionOf, sideOf } from "./hands.ts";

const MAX_TRIES = 3;

/** On the canvas: dragging from handle to handle, or to an empty place, and the buttons of edges and toolbar. */
export function byMouse(page: Page): Hands {
  const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const source = (id: string, handle: string) => node(id).locator(`.source[data-handleid="${handle}"]`);
  const seeAll = () => page.locator(".react-flow__controls-fitview").click();
  const dropOnNothing = async (id: string, handle: string) => {
    const canvas = (await page.locator(".react-flow").boundingBox())!;
    await source(id, handle).hover();
    await page.mouse.down();
    await page.mouse.move(canvas.x + 90, canvas.y + 90, { steps: 4 });
    await page.mouse.up();
  };
  /** The view moves to what was selected last: a drag that begins meanwhile misses its handle, and people try again. */
  const dropUntilChosen = async (id: string, handle: string) => {
    for (let tries = 1; ; tries += 1) {
      await dropOnNothing(id, handle);
      const isOpen = await page
        .getByRole("dialog", { name: "Add a node" })
        .waitFor({ timeout: 3_000 })
        .then(() => true)
        .catch(() => false);
      if (isOpen || tries === MAX_TRIES) return;
      await seeAll();
    }
  };
  return {
    press: (button) => button.click(),
    write: (field, text) => field.fill(text),
    async add({ id, type, after, handle, before }) {
      await seeAll();
      if (before !== undefined) {
        await page.getByRole("button", { name: `Insert between ${after} and ${before}` }).click();
      } else if (handle !== undefined) {
        await dropUntilChosen(after, handle);
      } else {
        await node(after).click();
        await page.getByRole("button", { name: "Add a node" }).click();
      }
      await optionOf(page, type).click();
      await sideOf(page).getByLabel("Id", { exact: true }).fill(id);
      await sideOf(page).getByLabel("Label", { exact: true }).click();
      await node(id).waitFor();
    },
    async connect(from, handle, to) {
      await seeAll();
      await source(from, handle).dragTo(node(to).locator(".target"));
    },
    openTab: (name) => page.getByRole("tab", { name, exact: true }).click(),
  };
}
