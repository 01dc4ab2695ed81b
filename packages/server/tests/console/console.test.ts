import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConsoleFiles } from "../../src/http/console/console-files.ts";
import { buildServer } from "../../src/http/server.ts";
import { Site } from "../../src/http/site.ts";
import { consoleRoutes } from "../../src/http/routes/console.ts";
import { startTestService, type TestService } from "../support/service.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const SHELL = "<!doctype html><title>shell</title>".padEnd(600, " ");
const SCRIPT = "export const answer = 42;".padEnd(2_000, " ");

let directory: string;
let server: FastifyInstance;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "millrace-console-"));
  await mkdir(join(directory, "assets"));
  await writeFile(join(directory, "index.html"), SHELL);
  await writeFile(join(directory, "index.html.gz"), gzipSync(SHELL));
  await writeFile(join(directory, "assets/main.js"), SCRIPT);
  await writeFile(join(directory, "assets/main.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(directory, "assets/main.js.gz"), gzipSync(SCRIPT));
  await writeFile(join(directory, "icon.svg"), "<svg/>");
  server = serverOf(await readConsoleFiles(directory));
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

function serverOf(files: Awaited<ReturnType<typeof readConsoleFiles>>): FastifyInstance {
  return buildServer({
    routes: consoleRoutes(files),
    logger: Fastify().log,
    trustProxy: [],
    isUnavailable: () => false,
    // Nobody has to prove anything here, so nothing of these is ever asked.
    authenticator: undefined as never,
    sessions: undefined as never,
    site: new Site({ host: "127.0.0.1", publicUrl: undefined, webUrl: undefined }),
    limits: { showGuesses() {}, noteCaller() {} } as never,
  });
}

describe("the console", () => {
  it.each(["/console", "/console/", "/console/runs", "/console/runs/run_1?view=list", "/console/index.html"])(
    "answers the shell at %s, with the policy",
    async (url) => {
      const { statusCode, headers, body } = await server.inject({ url });
      expect(statusCode).toBe(200);
      expect(body).toBe(SHELL);
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cache-control": "no-cache",
      });
    },
  );

  it("keeps assets for ever, and has none that it does not have", async () => {
    const { headers, body } = await server.inject({ url: "/console/assets/main.js" });
    expect(body).toBe(SCRIPT);
    expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const gone = await server.inject({ url: "/console/assets/gone.js" });
    expect([gone.statusCode, gone.json().code]).toEqual([404, "route_not_found"]);
    expect((await server.inject({ url: "/console/assets/main.js.br" })).statusCode).toBe(404);
  });

  it.each([
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["*", "br"],
    ["identity", undefined],
    ["", undefined],
  ])("sends what the caller takes: %j → %s", async (accepted, encoding) => {
    const { headers, rawPayload } = await server.inject({
      url: "/console/assets/main.js",
      headers: { "accept-encoding": accepted },
    });
    expect(headers["content-encoding"]).toBe(encoding);
    expect(headers.vary).toBe("accept-encoding");
    if (encoding === "gzip") expect(gunzipSync(rawPayload).toString()).toBe(SCRIPT);
    expect(rawPayload.length < SCRIPT.length).toBe(encoding !== undefined);
  });

  it("sends nothing again that the browser has", async () => {
    const { headers } = await server.inject({ url: "/console/runs" });
    const again = await server.inject({ url: "/console/runs", headers: { "if-none-match": headers.etag! } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  it("refuses other methods, at any depth", async () => {
    for (const url of ["/console", "/console/runs/run_1"]) {
      const { statusCode, headers } = await server.inject({ url, method: "POST" });
      expect([statusCode, headers.allow]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("says how to build it where nobody did", async () => {
    expect(await readConsoleFiles(join(directory, "nothing-here"))).toBeUndefined();
    const bare = serverOf(undefined);
    for (const url of ["/console", "/console/runs"]) {
      const { statusCode, body, headers } = await bare.inject({ url });
      expect(statusCode).toBe(503);
      expect(body).toContain("npm run console");
      expect(headers["content-security-policy"]).toBe(POLICY);
    }
    await bare.close();
  });
});

describe("the root", () => {
  let on: TestService;
  let off: TestService;
  beforeAll(async () => {
    on = await startTestService({}, { role: "api" });
    off = await startTestService({ MILLRACE_CONSOLE: "off" }, { role: "api", database: on.database });
  });
  afterAll(async () => {
    await off.stop();
    await on.stop();
  });

  it("sends browsers to the console and tells programs what there is", async () => {
    expect(await redirect(on)).toEqual([302, "/console"]);
    expect((await on.get("/")).body).toEqual({
      success: true,
      data: { console: "/console", docs: "/docs", openapi: "/openapi.json" },
    });
  });

  it("knows no console where it is off", async () => {
    expect(await redirect(off)).toEqual([302, "/docs"]);
    expect((await off.get("/")).body.data).toEqual({ docs: "/docs", openapi: "/openapi.json" });
    for (const path of ["/console", "/console/runs", "/console/assets/main.js"])
      expect((await off.get(path)).status).toBe(404);
  });
});

async function redirect(service: TestService): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    request(service.address, { headers: { accept: "text/html,*/*" } }, (answer) => {
      answer.resume();
      resolve([answer.statusCode, answer.headers.location]);
    })
      .on("error", reject)
      .end();
  });
}
