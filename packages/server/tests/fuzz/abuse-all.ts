import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./abuse.ts";
import { abuses } from "./abuses.ts";

const BYSTANDER_PAUSE_MS = 50;
/** Only bounds hanging: a starved machine serves everybody late. */
const BYSTANDER_PATIENCE_MS = 45_000;

/** All abuse at the same time, with somebody who only wants to be served; what went wrong, by name. */
export async function abuseAll(target: Target): Promise<string[]> {
  const over = new AbortController();
  const bystander = watchBystander(target, over.signal);
  const faults = await Promise.all(
    abuses.map(async ({ name, run }) => (await run(target)).map((fault) => `${name}: ${fault}`)),
  );
  over.abort();
  return [...faults.flat(), ...(await bystander)];
}

/** Being told to come back is no fault; not being served for long is. */
async function watchBystander({ address, key }: Target, over: AbortSignal): Promise<string[]> {
  const faults: string[] = [];
  let servedAtMs = performance.now();
  while (!over.aborted) {
    const answer = await fetch(`${address}/api/flows`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(BYSTANDER_PATIENCE_MS),
    }).catch((error: unknown) => error as Error);
    if (answer instanceof Error) faults.push(`a bystander was not served: ${answer.message}`);
    else {
      await answer.arrayBuffer();
      if (answer.status === 200) servedAtMs = performance.now();
      else if (answer.status !== 503 || !answer.headers.has("retry-after"))
        faults.push(`a bystander got ${answer.status}`);
    }
    if (performance.now() - servedAtMs > BYSTANDER_PATIENCE_MS) faults.push("a bystander waited too long");
    await sleep(BYSTANDER_PAUSE_MS);
  }
  return faults;
}
