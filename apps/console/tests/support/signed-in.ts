import type { Browser, BrowserContextOptions } from "playwright-core";
import { type Look, openPage, type WatchedPage } from "./browser.ts";

type StorageState = Exclude<BrowserContextOptions["storageState"], string | undefined>;

export interface SignedIn {
  readonly browser: Browser;
  readonly address: string;
  readonly key: string;
}

const states = new Map<string, Promise<StorageState>>();

/**
 * An empty page of somebody who has signed in with a key, at one of the addresses of the console once it is told to go
 * there. The form that does the same is a test of its own.
 */
export async function openSignedIn(who: SignedIn, look: Look = {}): Promise<WatchedPage> {
  const name = `${who.address} ${who.key}`;
  const state = states.get(name) ?? signIn(who);
  states.set(name, state);
  return openPage(who.browser, who.address, look, await state);
}

async function signIn({ browser, address, key }: SignedIn): Promise<StorageState> {
  const context = await browser.newContext({ baseURL: address });
  const answer = await context.request.post("/manage/sessions", { data: { key } });
  if (answer.status() !== 201) throw new Error(`Nobody was signed in: ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: { id: string; user: object; organizations: object[] } };
  const { cookies } = await context.storageState();
  await context.close();
  const { id, user, organizations } = data;
  const session = { name: "millrace.session", value: JSON.stringify({ id, user, organizations }) };
  return { cookies, origins: [{ origin: address, localStorage: [session] }] };
}
