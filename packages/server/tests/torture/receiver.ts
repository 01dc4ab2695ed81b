import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { platform } from "node:os";
import { closeDoors, openDoors } from "../../src/http/doors.ts";

/** One call of a flow's http-request node, as the world outside saw it. */
export interface Call {
  /** Which run of the family: `root`, `root/s2[1]`. */
  readonly at: string;
  readonly runId: string;
  readonly key: string;
  readonly body: string;
  /** In the order of their arrival. */
  readonly number: number;
  readonly atMs: number;
  /** How late the receiver itself may have been to notice it. */
  readonly lateMs: number;
}

/** Turns of the event loop that a call may have waited for: until its connection is taken in, and then until it is read. */
const TURNS_TO_NOTICE = 4;
const TICK_MS = 20;
const TICKS_KEPT = 100;

type Plan =
  | { readonly kind: "ok"; readonly ms: number }
  | { readonly kind: "fails" | "refuses" | "hold" }
  | { readonly kind: "flaky"; readonly failures: number }
  | { readonly kind: "gate"; readonly gate: string; readonly hold: string };

interface Guest {
  readonly calls: Call[];
  /** Gates that wait for a call. */
  readonly waiting: Map<string, (() => void)[]>;
  readonly onHold: (call: Call) => void;
}

export interface Receiver {
  readonly url: string;
  /** Begins to keep the calls of a case; `onHold` tells of those that are never answered. */
  expect(caseId: string, onHold?: (call: Call) => void): readonly Call[];
  forget(caseId: string): void;
  close(): Promise<void>;
}

/** The world outside: it keeps every call of every case, and answers as the call itself says. */
export async function startReceiver({ port = 0, takesAll = false } = {}): Promise<Receiver> {
  const guests = new Map<string, Guest>();
  const stranger: Guest | undefined = takesAll
    ? { calls: [], waiting: new Map(), onHold: () => {} }
    : undefined;
  let numbers = 0;
  const lags: number[] = [];
  let tickedAtMs = performance.now();
  const ticking = setInterval(() => {
    lags.push(performance.now() - tickedAtMs - TICK_MS);
    if (lags.length > TICKS_KEPT) lags.shift();
    tickedAtMs = performance.now();
  }, TICK_MS);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://receiver");
    const guest = guests.get(pathname.slice(1)) ?? stranger;
    const number = ++numbers;
    const body = await textOf(request);
    if (!guest) return void response.writeHead(404).end();
    const idempotencyKey = String(request.headers["idempotency-key"]);
    const [runId = "", key = ""] = idempotencyKey.split(":");
    const call: Call = {
      at: searchParams.get("at") ?? "",
      runId,
      key,
      body,
      number,
      atMs: performance.now(),
      lateMs: TURNS_TO_NOTICE * Math.max(0, performance.now() - tickedAtMs - TICK_MS, ...lags),
    };
    const earlier = guest.calls.filter((other) => other.runId === runId && other.key === key).length;
    guest.calls.push(call);
    for (const open of guest.waiting.get(idempotencyKey) ?? []) open();
    guest.waiting.delete(idempotencyKey);
    const answer = (status: number) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(status === 200 ? body : `{"no":true}`);
    };
    const plan = JSON.parse(searchParams.get("plan") ?? "{}") as Plan;
    switch (plan.kind) {
      case "ok":
        return void (plan.ms > 0 ? setTimeout(answer, plan.ms, 200) : answer(200));
      case "fails":
        return answer(500);
      case "refuses":
        return answer(402);
      case "flaky":
        return answer(earlier < plan.failures ? 500 : 200);
      case "hold":
        return guest.onHold(call);
      case "gate": {
        const awaited = `${runId}:${key.replace(plan.gate, plan.hold)}`;
        const isThere = guest.calls.some((other) => `${other.runId}:${other.key}` === awaited);
        if (isThere) return answer(200);
        guest.waiting.set(awaited, [...(guest.waiting.get(awaited) ?? []), () => answer(200)]);
      }
    }
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    // A caller that was killed goes away in the middle.
    handle(request, response).catch(() => response.destroy());
  });
  const place = { host: "127.0.0.1", backlog: 2_048 };
  const canShare = platform() === "linux";
  server.listen({ ...place, port, reusePort: canShare });
  await once(server, "listening");
  const doors = canShare ? await openDoors(server, place) : [];
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expect(caseId, onHold = () => {}) {
      const guest: Guest = { calls: [], waiting: new Map(), onHold };
      guests.set(caseId, guest);
      return guest.calls;
    },
    forget: (caseId) => void guests.delete(caseId),
    close: async () => {
      clearInterval(ticking);
      closeDoors(doors);
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
  return text;
}
