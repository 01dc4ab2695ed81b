import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { probeRoutes } from "../../src/http/routes/service.ts";

const MANY = 1_000;

function probes() {
  const made = { ready: 0, metrics: 0 };
  const routes = probeRoutes({
    ready: async () => {
      made.ready += 1;
      await nextTurn();
      return true;
    },
    metrics: async () => {
      made.metrics += 1;
      await nextTurn();
      return { contentType: "text/plain", text: "figures" };
    },
  });
  const ask = async (path: string) => routes.find((route) => route.path === path)!.handle({} as never);
  return { made, ask };
}

it.each([
  ["/readyz", "ready"],
  ["/metrics", "metrics"],
] as const)("%s is answered once for all who ask in the same moment", async (path, name) => {
  const { made, ask } = probes();
  const answers = await Promise.all(Array.from({ length: MANY }, () => ask(path)));
  expect(new Set(answers.map((answer) => (answer as { status: number }).status))).toEqual(new Set([200]));
  expect(made[name]).toBe(1);
  await ask(path);
  expect(made[name]).toBe(2);
});

it("those who waited for the same figures are sent them in several turns", async () => {
  const { ask } = probes();
  const count = { sent: 0 };
  const all = Promise.all(
    Array.from({ length: MANY }, async () => {
      await ask("/metrics");
      count.sent += 1;
    }),
  );
  let most = 0;
  while (count.sent < MANY) {
    const before = count.sent;
    await nextTurn();
    most = Math.max(most, count.sent - before);
  }
  await all;
  expect(most).toBeLessThanOrEqual(MANY / 4);
});
