import { setTimeout as sleep } from "node:timers/promises";

export interface Answered {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  readonly body: any;
}

const MAX_TRIES = 100;
const PAUSE_MS = 300;
const OVERLOADED = 503;

/** Requests with a key, made again where the service had no time for them, as its answer asks for. */
export function apiOf(address: string) {
  return async (method: string, path: string, key: string, body?: object): Promise<Answered> => {
    for (let tries = 1; ; tries++) {
      const answer = await fetch(address + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
        body: body && JSON.stringify(body),
      });
      const { status } = answer;
      const read = (await answer.json()) as object;
      if (status !== OVERLOADED || tries === MAX_TRIES) return { status, body: read };
      await sleep(PAUSE_MS);
    }
  };
}

export type Api = ReturnType<typeof apiOf>;
