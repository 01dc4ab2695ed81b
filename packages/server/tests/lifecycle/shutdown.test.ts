import { expect, it } from "vitest";
import { Shutdown } from "../../src/lifecycle/shutdown.ts";

it("stops in the opposite order, tells each step what the others have taken, and goes on after a fault", async () => {
  let nowMs = 1_000;
  const shutdown = new Shutdown(() => nowMs);
  const stopped: [string, number][] = [];
  const faults: string[] = [];
  shutdown.add("pool", (elapsedMs) => void stopped.push(["pool", elapsedMs]));
  shutdown.add("broken", () => {
    nowMs += 5_000;
    throw new Error("broken");
  });
  shutdown.add("worker", (elapsedMs) => void stopped.push(["worker", elapsedMs]));
  shutdown.add("replies", async (elapsedMs) => {
    stopped.push(["replies", elapsedMs]);
    nowMs += 20_000;
  });
  await Promise.all([shutdown.run((name) => faults.push(name)), shutdown.run((name) => faults.push(name))]);
  expect(stopped).toEqual([
    ["replies", 0],
    ["worker", 20_000],
    ["pool", 25_000],
  ]);
  expect(faults).toEqual(["broken"]);
});
