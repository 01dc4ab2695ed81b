import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findBarriers } from "./browser.ts";
import { fieldOf, type Hands } from "./hands/hands.ts";
import { largeOrder, orderSteps, orderTest, orderWays, smallOrder } from "./order-flow.ts";

/** From the list of flows to a draft of the order flow; returns its id. */
export async function buildOrderFlow(
  page: Page,
  hands: Hands,
  { name, payment }: { readonly name: string; readonly payment: string },
): Promise<string> {
  await hands.press(page.getByRole("button", { name: "New flow" }));
  const dialog = page.getByRole("dialog");
  await hands.write(dialog.getByLabel("Name"), name);
  await hands.press(dialog.getByRole("button", { name: "Create and edit" }));
  await page.waitForURL(/\/flows\/flow_[^/]+\/edit/);
  for (const step of orderSteps(payment)) {
    await hands.add(step);
    for (const [field, text] of Object.entries(step.fields)) await hands.write(fieldOf(page, field), text);
  }
  for (const { from, handle, to } of orderWays) await hands.connect(from, handle, to);
  return /\/flows\/([^/]+)\/edit/.exec(page.url())![1]!;
}

/** Writes a test of the draft, sees it pass while it is written, and stores it with the flow. */
export async function testOrderFlow(page: Page, hands: Hands): Promise<void> {
  await hands.openTab("Tests");
  await hands.press(page.getByRole("button", { name: "Add a test" }));
  const dialog = page.getByRole("dialog", { name: "Add a test" });
  const { name, answers, output } = orderTest;
  await hands.write(dialog.getByLabel("Name of the test"), name);
  const write = (label: string, value: unknown) =>
    hands.write(dialog.getByLabel(label, { exact: true }), JSON.stringify(value));
  await write("Body (JSON, may be empty)", largeOrder);
  for (const [node, answer] of Object.entries(answers)) await write(`Answer of ${node} (JSON)`, answer);
  await write("Expected output (JSON, empty for any)", { ...output, total: 1 });
  await dialog.locator("[data-passed=false]").waitFor();
  await write("Expected output (JSON, empty for any)", output);
  await dialog.locator("[data-passed=true]").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await hands.press(dialog.getByRole("button", { name: "Store with the flow" }));
  await page.getByText("1 of 1 tests pass").waitFor();
}

export async function publishOrderFlow(page: Page, hands: Hands): Promise<void> {
  await hands.press(page.getByRole("button", { name: "Publish" }));
  const dialog = page.getByRole("dialog", { name: "Publish the draft" });
  await dialog.getByText("This is the first version.").waitFor();
  await dialog.getByText("1 of 1 tests pass").waitFor();
  await hands.press(dialog.getByRole("button", { name: "Publish" }));
  await dialog.waitFor({ state: "detached" });
}

/** A small order runs through, a large one once somebody has approved it; returns the ids of both runs. */
export async function runOrderFlow(page: Page, hands: Hands): Promise<[small: string, large: string]> {
  const ended = () => page.locator("header [data-status=COMPLETED]").waitFor();
  const start = async (body: object) => {
    await hands.press(page.getByRole("button", { name: "Start a run" }));
    const dialog = page.getByRole("dialog");
    await hands.write(dialog.getByLabel("Body (JSON, may be empty)"), JSON.stringify(body));
    await hands.press(dialog.getByRole("button", { name: "Start", exact: true }));
    await page.waitForURL(/\/runs\/run_/);
    return /\/runs\/(run_[^/?]+)/.exec(page.url())![1]!;
  };
  await hands.press(page.getByRole("heading", { level: 1 }).getByRole("link"));
  const small = await start(smallOrder);
  await ended();
  await page.goBack();
  const large = await start(largeOrder);
  const question = page.getByRole("article", { name: "Charge 120 to ada@example.com?" });
  await hands.press(question.getByRole("button", { name: "Approve" }));
  await ended();
  return [small, large];
}
