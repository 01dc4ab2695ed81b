import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderPython } from "../../../scripts/generate-wire-types.ts";
import { chain, hello, node } from "../../server/tests/support/runs-flows.ts";
import { type RunTestService, startRunService } from "../../server/tests/support/runs-service.ts";
import { addAgent } from "../../server/tests/support/workspace.ts";
import { type FaultyProxy, faults, startFaultyProxy } from "./support/faulty-proxy.ts";
import { triggerStorm } from "./support/trigger-storm.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../clients/python", import.meta.url));

it("has the types and the methods of /manage that the generator writes today", async () => {
  const written = await renderPython();
  for (const [file, text] of Object.entries(written))
    expect(readFileSync(join(root, "millrace", file), "utf8"), "run: npm run wire").toBe(text);
});

// Needs Python 3.11 or newer as `python3`.
describe.skipIf(!hasPython())("the Python client, from its wheel", () => {
  let service: RunTestService;
  let proxy: FaultyProxy;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "millrace-python-"));
    const build = `import build_backend; print(build_backend.build_wheel(${JSON.stringify(folder)}))`;
    const wheel = execFileSync("python3", ["-B", "-c", build], { cwd: root, encoding: "utf8" }).trim();
    service = await startRunService({ concurrency: 200 });
    await addAgent(service.database.pool, "org_run", "agent_one");
    await service.flow(
      "flow_hello",
      chain(node("done", "return", { value: { text: "Hello {{ trigger.body.name }}!" } })),
    );
    const asking = chain(
      node("ask", "approval", { message: "Well?" }),
      node("done", "return", { value: { note: "{{ nodes.ask.data.note }}" } }),
    );
    const edges = asking.edges.map((edge) =>
      edge.source === "ask" ? { ...edge, sourceHandle: "approved" } : edge,
    );
    await service.flow("flow_asking", { ...asking, edges });
    await service.flow("flow_storm", hello);
    let requests = 0;
    proxy = await startFaultyProxy(service.address, () =>
      requests++ % 3 === 0 ? undefined : faults[requests % faults.length],
    );
    env = {
      ...process.env,
      // A wheel is an archive that Python can import from.
      PYTHONPATH: join(folder, wheel),
      PYTHONDONTWRITEBYTECODE: "1",
      MILLRACE_URL: service.address,
      MILLRACE_FAULTY_URL: proxy.url,
      MILLRACE_API_KEY: service.key,
    };
  });
  afterAll(async () => {
    await proxy.close();
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(["test_table.py", "test_client.py"])("passes %s", async (file) => {
    const { stderr } = await run("python3", [join(root, "tests", file)], { env, cwd: folder });
    expect(stderr).toMatch(/\nOK\n$/);
  });

  it("starts one run for each trigger, whatever was lost", async () => {
    const triggers = 60;
    const storm = await triggerStorm({
      target: service.address,
      apiKey: service.key,
      flowId: "flow_storm",
      triggers,
      client: "python",
    });
    expect(storm).toMatchObject({ started: triggers, givenUp: 0 });
    const [stored] = await service.rows(
      `SELECT count(*)::int AS runs, count(DISTINCT p.data ->> 'n')::int AS numbers
         FROM runs r JOIN run_payloads p ON p.run_id = r.id WHERE r.flow_id = 'flow_storm'`,
    );
    expect(stored).toEqual({ runs: triggers, numbers: triggers });
  });

  it("is written once: what does not wait is made of what does", async () => {
    await run("python3", ["-B", join(root, "unasync.py"), "--check"], { env });
  });
});

function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]);
    return true;
  } catch {
    return false;
  }
}
