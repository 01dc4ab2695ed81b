import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, startCluster } from "../../../../bench/support/cluster.ts";
import { cpuBetween, readCpu } from "../../../../bench/support/cpu.ts";
import { runLoad } from "../../../../bench/support/load.ts";
import { type BenchProcess, type Installation, install } from "../../../../bench/support/service.ts";
import { median } from "../../../../bench/support/statistics.ts";
import { countCompleted, untilAllEnded } from "../../../../bench/support/throughput.ts";
import {
  flow,
  organization,
  ORGANIZATION,
  THREE_NODES,
  trigger,
} from "../../../../bench/support/workspace.ts";
import { launchBrowser, withBrowser } from "../support/browser.ts";
import { signedIn } from "../support/workspace.ts";
import { cpuOf } from "./cpu.ts";

const RUNS_PER_SECOND = 1_000;
const SECONDS = 8;
const MAX_SHARE_OF_A_CORE = 0.3;
const MAX_COST_PER_PAGE = 0.02;
const ROUNDS = 5;
const ROUND_SECONDS = 4;

withBrowser("the console beside a busy service", () => {
  let cluster: Cluster;
  let installation: Installation;
  let service: BenchProcess;
  let key: string;
  let address: string;
  let browser: Browser;
  beforeAll(async () => {
    [cluster, browser] = await Promise.all([startCluster({ statements: false }), launchBrowser()]);
    installation = await install(cluster, "busy");
    await installation.apply([organization(ORGANIZATION), flow(ORGANIZATION, "flow_three", THREE_NODES)]);
    key = await installation.createKey(ORGANIZATION);
    service = await installation.start("start");
    address = `http://127.0.0.1:${service.port}`;
    await load(2);
    await installation.database.pool.query("ANALYZE");
  });
  afterAll(async () => {
    await browser?.close();
    await installation?.remove();
    await cluster?.stop();
  });

  const load = (seconds: number, perSecond?: number) =>
    runLoad({
      port: service.port,
      requests: [trigger("flow_three", key)],
      connections: 64,
      seconds,
      ...(perSecond && { perSecond }),
    });

  it(`follows ${RUNS_PER_SECOND} runs a second with less than ${MAX_SHARE_OF_A_CORE * 100} % of a core, and nothing jumps`, async () => {
    const { page, context, faults } = await signedIn(browser, { service: { address }, ownerKey: key });
    await page.locator("[data-row]").first().waitFor();
    await page.locator("[data-bar]").first().waitFor();
    const row = page.locator("[data-row]").nth(3);
    const placeOf = async () => ({
      runId: await row.getByText(/^run_/).textContent(),
      box: await row.boundingBox(),
    });
    const before = await placeOf();
    const finishedBefore = await countCompleted(installation.database.pool);
    const startMs = performance.now();
    const sent = { answers: 0, seconds: 1 };
    let elapsedMs = 0;
    const cpu = await cpuOf(browser, page, async () => {
      Object.assign(sent, await load(SECONDS, RUNS_PER_SECOND));
      elapsedMs = performance.now() - startMs;
    });
    const share = cpu.totalMs / elapsedMs;
    await untilAllEnded(installation.database.pool);
    const finished = (await countCompleted(installation.database.pool)) - finishedBefore;
    console.log(
      `${Math.round(finished / sent.seconds)} runs a second: the page takes ${(share * 100).toFixed(1)} % of a core, longest task ${cpu.longestTaskMs.toFixed(0)} ms`,
    );
    expect(finished).toBe(sent.answers);
    expect(sent.answers / sent.seconds).toBeGreaterThan(0.9 * RUNS_PER_SECOND);
    await page.getByRole("button", { name: /^\d+\+? new$/ }).waitFor();
    expect(await placeOf()).toEqual(before);
    expect(share).toBeLessThanOrEqual(MAX_SHARE_OF_A_CORE);
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([1, 5])(
    `costs the service at most ${MAX_COST_PER_PAGE * 100} % for each of %i open pages`,
    async (pages) => {
      const costs: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const alone = await cpuPerRun();
        const readers = await Promise.all(Array.from({ length: pages }, () => openStream(address, key)));
        const watched = await cpuPerRun();
        for (const close of readers) close();
        costs.push((watched - alone) / alone / pages);
        console.log(
          `CPU per run ${alone.toFixed(3)} ms alone, ${watched.toFixed(3)} ms with ${pages} open pages`,
        );
      }
      const cost = median(costs);
      console.log(`an open page costs ${(cost * 100).toFixed(2)} % (median of ${ROUNDS})`);
      expect(cost).toBeLessThanOrEqual(MAX_COST_PER_PAGE);
    },
  );

  /** Of the service and its database sessions, at full load: what it takes more of, it does fewer of. */
  async function cpuPerRun(): Promise<number> {
    const { pool } = installation.database;
    const { pid } = service.child;
    const before = await readCpu(pid, pool);
    const { answers } = await load(ROUND_SECONDS);
    await untilAllEnded(pool);
    const after = await readCpu(pid, pool);
    if (!before || !after) throw new Error("CPU time of processes can be measured on Linux only.");
    const { processMs, postgresMs } = cpuBetween(pid, before, after);
    return (processMs + postgresMs) / answers;
  }
});

/** What an open page is to the service; a browser's own CPU would be missing to it on a small machine. */
async function openStream(address: string, key: string): Promise<() => void> {
  const closing = new AbortController();
  const answer = await fetch(`${address}/manage/runs/stream`, {
    headers: { authorization: `Bearer ${key}` },
    signal: closing.signal,
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  void answer.body!.pipeTo(new WritableStream()).catch(() => {});
  return () => closing.abort();
}
