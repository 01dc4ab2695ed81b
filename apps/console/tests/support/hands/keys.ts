import type { Locator, Page } from "playwright-core";
import { connectField, type Hands, insertButton, rowOf, sideOf } from "./hands.ts";

const MAX_TABS = 120;
const LONG = 50;

/** The key that leads from where the focus is towards an element; none where it has it. */
const keyTowards = (target: Locator) =>
  target.evaluate((element) => {
    interface Place {
      readonly host?: Place;
      readonly activeElement: Place | null;
      getRootNode(): Place;
      compareDocumentPosition(other: Place): number;
    }
    const wanted = element as unknown as Place;
    const root = wanted.getRootNode();
    if (root.activeElement === wanted) return undefined;
    // Code fields are in shadow roots of their own.
    const outside = root.host ?? wanted;
    const PRECEDING = 2;
    const now = outside.getRootNode().activeElement;
    return now && now.compareDocumentPosition(outside) & PRECEDING ? "Shift+Tab" : "Tab";
  });

/** Nothing but keys: what Tab does not reach cannot be used. */
export function byKeys(page: Page): Hands {
  const { keyboard } = page;
  const goTo = async (target: Locator) => {
    await target.waitFor();
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      const key = await keyTowards(target);
      if (key === undefined) return;
      await keyboard.press(key);
    }
    throw new Error(`Tab does not lead to ${String(target)}`);
  };
  const press = async (button: Locator) => {
    await goTo(button);
    await keyboard.press("Enter");
  };
  const write = async (field: Locator, text: string) => {
    await goTo(field);
    await keyboard.press("ControlOrMeta+a");
    // Key by key, as brackets close by themselves in code; what is long is pasted.
    if (text.length < LONG) await keyboard.type(text);
    else await keyboard.insertText(text);
  };
  /** Out of the form; a list of completions takes the first Escape for itself. */
  const leave = async () => {
    for (let tries = 0; tries < 3; tries++) {
      if (await page.evaluate("document.activeElement?.id === 'editor-view'")) return;
      await keyboard.press("Escape");
    }
  };
  const goToTab = async (list: string, name: string) => {
    const tabs = page.getByRole("tablist", { name: list });
    await goTo(tabs.getByRole("tab", { selected: true }));
    const wanted = tabs.getByRole("tab", { name, exact: true });
    for (let moves = 0; moves < 5; moves++) {
      if ((await wanted.getAttribute("aria-selected")) === "true") return;
      await keyboard.press("ArrowRight");
    }
    throw new Error(`The arrow does not lead to ${name}`);
  };
  const choose = async (id: string) => {
    if (!(await page.getByRole("list", { name: "Outline" }).isVisible()))
      await goToTab("Views of the flow", "Outline");
    else await leave();
    await press(rowOf(page, id).locator("[data-name]"));
  };
  const edit = async (id: string) => {
    await choose(id);
    await keyboard.press("e");
  };
  return {
    press,
    write,
    async add({ id, type, after, handle }) {
      if (handle === undefined) {
        await choose(after);
        await keyboard.press("a");
      } else {
        await edit(after);
        await press(insertButton(page, handle));
      }
      await page.getByRole("combobox", { name: "Find a node type" }).waitFor();
      await keyboard.type(type);
      await keyboard.press("Enter");
      await write(sideOf(page).getByLabel("Id", { exact: true }), id);
      await keyboard.press("Tab");
    },
    async connect(from, handle, to) {
      await edit(from);
      await goTo(connectField(page, handle));
      await keyboard.type(to);
    },
    async openTab(name) {
      await leave();
      await goToTab("Details", name);
    },
  };
}
