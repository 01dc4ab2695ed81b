import type { Page } from "playwright-core";
import { connectField, type Hands, insertButton, optionOf, rowOf, sideOf } from "./hands.ts";

/** In the outline, on a screen with room for one thing at a time. */
export function byOutline(page: Page): Hands {
  const back = page.getByRole("button", { name: "Back", exact: true });
  const choose = async (id: string) => {
    if (await back.isVisible()) await back.click();
    await rowOf(page, id).locator("[data-name]").click();
  };
  const edit = async (id: string) => {
    await choose(id);
    await rowOf(page, id).getByRole("button", { name: "Edit" }).click();
  };
  return {
    press: (button) => button.click(),
    write: (field, text) => field.fill(text),
    async add({ id, type, after, handle }) {
      if (handle === undefined) {
        await choose(after);
        await rowOf(page, after).getByRole("button", { name: "Insert after" }).click();
      } else {
        await edit(after);
        await insertButton(page, handle).click();
      }
      await page.getByRole("combobox", { name: "Find a node type" }).fill(type);
      await optionOf(page, type).click();
      const field = sideOf(page).getByLabel("Id", { exact: true });
      await field.fill(id);
      await field.press("Enter");
    },
    async connect(from, handle, to) {
      await edit(from);
      await connectField(page, handle).selectOption(to);
    },
    async openTab(name) {
      if (!(await back.isVisible())) await page.getByRole("button", { name: "Details" }).click();
      await page.getByRole("tab", { name, exact: true }).click();
    },
  };
}
