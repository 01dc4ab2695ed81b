import { join } from "node:path";
import { expect, it } from "vitest";
import { freePort, runMillrace, temporaryDirectory } from "../support/child-millrace.ts";

it("the first start makes something of everything, so that no page of the console is empty", async () => {
  const directory = await temporaryDirectory();
  const child = runMillrace(["start"], {
    MILLRACE_DATA_DIR: join(directory.path, "data"),
    PORT: String(await freePort()),
  });
  try {
    await child.ready();
    await expect.poll(() => child.output(), { timeout: 60_000 }).toMatch(/mr_org_\w+/);
    const key = /mr_org_\w+/.exec(child.output())![0];
    const headers = { "x-api-key": key };
    const runs = async () => {
      const answer = await fetch(`${child.url}/api/runs?page[size]=100`, { headers });
      return ((await answer.json()) as { data: { data: { id: string; status: string }[] } }).data.data;
    };
    const statuses = async () => [...new Set((await runs()).map(({ status }) => status))].sort();
    await expect
      .poll(statuses, { timeout: 60_000 })
      .toEqual(["COMPLETED", "EXECUTING", "FAILED", "PAUSED", "WAITING"]);
  } finally {
    child.process.kill("SIGTERM");
    await child.exited();
    await directory.remove();
  }
});
