import type { Locator, Page } from "playwright-core";
import type { Step } from "../order-flow.ts";

/** A way of using the editor: the same flow can be built by each. */
export interface Hands {
  press(button: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  /** Puts a new node in its place and gives it its id; its form is open then. */
  add(step: Step): Promise<void>;
  connect(from: string, handle: string, to: string): Promise<void>;
  /** Opens one of the tabs beside the flow. */
  openTab(name: string): Promise<void>;
}

export const sideOf = (page: Page) => page.locator("#editor-side");

/** A field of the node's form; its help is a part of its name. */
export const fieldOf = (page: Page, name: string) =>
  sideOf(page).getByRole("textbox", { name: new RegExp(`^${name}(?:\\.|$)`) });

/** The row of a node in the outline. */
export const rowOf = (page: Page, id: string) =>
  page.getByRole("list", { name: "Outline" }).locator(`[data-node="${id}"]`);

export const optionOf = (page: Page, type: string) =>
  page.getByRole("option", { name: new RegExp(`^${type}`) }).first();

export const connectField = (page: Page, handle: string) =>
  sideOf(page).getByLabel(handle === "out" ? "Connect to…" : `Connect to… (${handle})`, { exact: true });

export const insertButton = (page: Page, handle: string) =>
  sideOf(page).getByRole("button", { name: `Insert after (${handle})` });
