import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type LoopbackServer,
  readText,
  startLoopbackServer,
} from "../../server/tests/support/loopback-server.ts";
import { startRunService, type RunTestService } from "../../server/tests/support/runs-service.ts";
import { hello } from "../../server/tests/support/runs-flows.ts";
import {
  ConnectionError,
  MillraceClient,
  MillraceError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from "../src/client.ts";
import { pauseMs } from "../src/retry.ts";
import { triggerStorm } from "./support/trigger-storm.ts";

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: { readonly idempotencyKey?: string } | undefined;
}
type Reply = number | "cut" | "half" | "silent";
/** A crowded machine takes its time to answer; what is never answered is waited for this long. */
const TIMEOUT_MS = 5_000;

/** Answers the first requests as told, and all others with a success. */
let seen: Seen[] = [];
let replies: Reply[] = [];
let retryAfter: string | undefined = "0";
let server: LoopbackServer;
let millrace: MillraceClient;
beforeAll(async () => {
  server = await startLoopbackServer(async (request, response) => {
    const text = await readText(request);
    seen.push({
      method: request.method!,
      path: request.url!,
      body: text === "" ? undefined : JSON.parse(text),
    });
    const reply = replies.shift() ?? 200;
    if (reply === "silent") return;
    if (reply === "cut") return void response.destroy();
    const body = JSON.stringify({ success: true, data: { id: "run_x", data: [] } });
    if (reply === "half") {
      response.writeHead(200, { "content-type": "application/json" }).write(body.slice(0, 9));
      return;
    }
    const headers = { "content-type": "application/json", ...(retryAfter && { "retry-after": retryAfter }) };
    response.writeHead(reply, reply === 200 ? {} : headers).end(reply === 200 ? body : "{}");
  });
  millrace = new MillraceClient({ baseUrl: server.url, apiKey: "k", timeoutMs: TIMEOUT_MS });
});
afterEach(() => {
  seen = [];
  replies = [];
  retryAfter = "0";
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const trigger = () => millrace.runs.trigger("flow_x");
const cancel = () => millrace.runs.cancel("run_x");
const list = () => millrace.flows.list();
const message = () => millrace.sessions.send("a", "s", { message: "Hi" }, { timeoutMs: TIMEOUT_MS });
const keyed = () => millrace.manage.createKey({ name: "ci" });

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => "success",
    (error: unknown) => (error as MillraceError).code,
  );

describe("the retry table", () => {
  it.each([408, 429, 500, 502, 503, 504, "cut"] as const)("tries again after %s", async (fault) => {
    for (const call of [trigger, cancel, list]) {
      seen = [];
      replies = [fault, fault];
      expect(await outcomeOf(call())).toBe("success");
      expect(seen).toHaveLength(3);
      expect(new Set(seen.map(({ body }) => body?.idempotencyKey)).size).toBe(1);
    }
  });

  it.each(["half", "silent"] as const)("tries again after an answer that stops: %s", async (fault) => {
    replies = [fault];
    expect(await outcomeOf(trigger())).toBe("success");
    expect(seen).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 409, 413])("does not try again after %s", async (status) => {
    replies = [status];
    expect(await outcomeOf(trigger())).toBe("unexpected_answer");
    expect(seen).toHaveLength(1);
  });

  it("gives up after two retries, or as many as were asked for", async () => {
    replies = [503, 503, 503, 503];
    await expect(trigger()).rejects.toBeInstanceOf(ServerError);
    expect(seen).toHaveLength(3);
    replies = ["cut"];
    await expect(millrace.runs.trigger("flow_x", undefined, { maxRetries: 0 })).rejects.toBeInstanceOf(
      ConnectionError,
    );
    expect(seen).toHaveLength(4);
    replies = ["silent"];
    await expect(millrace.flows.list({}, { maxRetries: 0, timeoutMs: 50 })).rejects.toBeInstanceOf(
      TimeoutError,
    );
  });

  it("never sends twice what may have been taken: a chat message, a new key", async () => {
    for (const call of [message, keyed])
      for (const fault of ["cut", "half", "silent", 500, 503] as const) {
        seen = [];
        replies = [fault];
        expect(await outcomeOf(call()), String(fault)).not.toBe("success");
        expect(seen, String(fault)).toHaveLength(1);
      }
    seen = [];
    replies = ["cut"];
    await expect(millrace.sessions.stream("a", "s", { message: "Hi" }).next()).rejects.toBeInstanceOf(
      ConnectionError,
    );
    expect(seen).toHaveLength(1);
  });

  it("sends it again where it was surely not taken: 429, and nobody there", async () => {
    for (const call of [message, keyed]) {
      replies = [429];
      expect(await outcomeOf(call())).toBe("success");
    }
    const attempts: unknown[] = [];
    const counting: typeof fetch = (input, init) => {
      attempts.push(input);
      return fetch(input, init);
    };
    vi.spyOn(Math, "random").mockReturnValue(0);
    const gone = await startLoopbackServer(() => {});
    await gone.close();
    const nobody = new MillraceClient({
      baseUrl: gone.url,
      apiKey: "k",
      maxRetries: 1,
      fetch: counting,
    });
    expect(await outcomeOf(nobody.sessions.send("a", "s", { message: "Hi" }))).toBe("connection_failed");
    expect(attempts).toHaveLength(2);
  });

  it("listens to Retry-After, as seconds and as a date, and leaves long times to the caller", async () => {
    retryAfter = "61";
    replies = [429];
    await expect(trigger()).rejects.toMatchObject({ retryAfterSeconds: 61, code: "too_many_requests" });
    await expect(outcomeOf(trigger())).resolves.toBe("success");
    retryAfter = new Date(Date.now() + 3_600_000).toUTCString();
    replies = [503];
    const error = await trigger().catch((fault: unknown) => fault);
    expect((error as ServerError).retryAfterSeconds).toBeGreaterThan(3_000);
    retryAfter = new Date(0).toUTCString();
    replies = [429];
    expect(await outcomeOf(trigger())).toBe("success");
  });

  it("waits half a second and twice as long each time, at most eight, with jitter", () => {
    const random = vi.spyOn(Math, "random").mockReturnValue(0.999_999);
    const longest = [0, 1, 2, 3, 4, 9].map((attempt) => Math.round(pauseMs(attempt)));
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    random.mockReturnValue(0);
    expect([0, 1, 9].map((attempt) => pauseMs(attempt))).toEqual([375, 750, 6_000]);
    const told = new RateLimitError(429, "too_many_requests", "", { retryAfterSeconds: 3 });
    expect(pauseMs(0, told)).toBe(3_000);
  });

  it("ends at once where the caller aborts, in an attempt and between two", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    replies = ["silent"];
    const inAttempt = millrace.flows.list({}, { signal: controller.signal, timeoutMs: 0 });
    controller.abort(reason);
    await expect(inAttempt).rejects.toBe(reason);
    await expect(millrace.flows.list({}, { signal: controller.signal })).rejects.toBe(reason);
    retryAfter = "30";
    replies = [503];
    const between = new AbortController();
    const call = millrace.flows.list({}, { signal: between.signal });
    await expect.poll(() => seen.at(-1)).toBeDefined();
    setTimeout(() => between.abort(reason), 50);
    await expect(call).rejects.toBe(reason);
  });
});

describe("a trigger through a connection that breaks in every way", () => {
  let service: RunTestService;
  beforeAll(async () => {
    service = await startRunService({ concurrency: 100 });
    await service.flow("flow_hello", hello);
  });
  afterAll(() => service.stop());

  it("starts one run each, whatever was lost", async () => {
    const triggers = 100;
    const storm = await triggerStorm({
      target: service.address,
      apiKey: service.key,
      flowId: "flow_hello",
      triggers,
    });
    expect(Object.keys(storm.faults)).toHaveLength(7);
    expect(storm).toMatchObject({ started: triggers, givenUp: 0 });
    const stored = await service.rows(
      `SELECT count(*)::int AS runs, count(DISTINCT data ->> 'n')::int AS numbers FROM run_payloads`,
    );
    expect(stored).toEqual([{ runs: triggers, numbers: triggers }]);
    expect(new Set(storm.runIds).size).toBe(triggers);
  });
});
