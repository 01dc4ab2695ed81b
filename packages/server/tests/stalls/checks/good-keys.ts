import { setTimeout as sleep } from "node:timers/promises";
import { makeApiKey } from "../../../src/domain/api-key.ts";
import { requestBytes, sendRaw } from "../../fuzz/raw-client.ts";
import type { Arena, Round } from "../arena/arena.ts";

const WRONG_KEYS = 40;
/** An address of its own, so that nobody else is told to slow down. */
const FROM = "127.0.0.77";
/** What is known of a key is looked up again after less than this. */
const STALE_MS = 5_500;

export async function goodKeysKeepWorking(_arena: Arena, { service, workspace }: Round): Promise<string[]> {
  const ask = async (key: string) => {
    const headers: [string, string][] = [["authorization", `Bearer ${key}`]];
    const bytes = requestBytes({ method: "GET", target: "/api/flows", headers });
    return (await sendRaw({ address: service.address, bytes, from: FROM }))?.status;
  };
  const first = await ask(workspace.key);
  for (let count = 0; count < WRONG_KEYS; count++) await ask(makeApiKey("org"));
  await sleep(STALE_MS);
  await ask(makeApiKey("org"));
  const last = await ask(workspace.key);
  return first === 200 && last === 200
    ? []
    : [`a good key was answered ${first}, and ${last} after wrong ones`];
}
