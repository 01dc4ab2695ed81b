import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One call of a flow's `http-request` node, as the outside world saw it. */
export interface EffectCall {
  readonly runId: string;
  readonly nodeKey: string;
  readonly name: string;
  readonly beganMs: number;
  readonly authorization: string | undefined;
  endedMs?: number;
  /** `dropped`: the caller went away before it was answered. */
  outcome?: "answered" | "dropped";
}

export interface EffectServer {
  readonly url: string;
  readonly calls: readonly EffectCall[];
  /** Called when the effect named `poison` begins. */
  onPoison: (runId: string) => void;
  /** Answers every call that is under way, or those that began before a moment. */
  letGo(beforeMs?: number): void;
  underWay(): readonly EffectCall[];
  close(): Promise<void>;
}

/**
 * The world outside: it keeps every call with run, node and times. `POST /<name>?ms=…` takes that long; the effect
 * `flaky` fails the first time for each run, `broken` always; `hold` answers when it is let go, or after `ms`.
 */
export async function startEffectServer(): Promise<EffectServer> {
  const calls: EffectCall[] = [];
  const open = new Map<EffectCall, () => void>();
  const failedOnce = new Set<string>();

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://effects");
    // The service's own stable key: run and node.
    const [runId = "", nodeKey = ""] = String(request.headers["idempotency-key"]).split(":");
    const call: EffectCall = {
      runId,
      nodeKey,
      name: pathname.slice(1),
      beganMs: Date.now(),
      authorization: request.headers.authorization,
    };
    calls.push(call);
    const end = (outcome: "answered" | "dropped") => {
      clearTimeout(timer);
      if (!open.delete(call)) return;
      call.endedMs = Date.now();
      call.outcome = outcome;
    };
    const answer = () => {
      const fails = call.name === "broken" || (call.name === "flaky" && !failedOnce.has(runId));
      failedOnce.add(runId);
      end("answered");
      response.writeHead(fails ? 500 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ name: call.name, call: calls.length }));
    };
    const timer = setTimeout(answer, Number(searchParams.get("ms") ?? 0));
    open.set(call, answer);
    response.on("close", () => end("dropped"));
    request.resume();
    if (call.name === "poison") server.onPoison(runId);
  };
  const listener = createServer({ keepAliveTimeout: 60_000 }, handle);
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const server: EffectServer = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    calls,
    onPoison: () => {},
    letGo: (beforeMs = Number.POSITIVE_INFINITY) => {
      for (const [call, answer] of open) if (call.beganMs < beforeMs) answer();
    },
    underWay: () => [...open.keys()],
    close: async () => {
      listener.closeAllConnections();
      listener.close();
      await once(listener, "close");
    },
  };
  return server;
}
