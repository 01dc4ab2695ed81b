// A process that has become large and goes on with little: it ends when it is small again.
import { setTimeout as delay } from "node:timers/promises";
import { limitHeapGrowth } from "../../src/lifecycle/heap-growth.ts";

const listsOf = (count: number) => JSON.parse(`[${Array(count).fill("[1]").join(",")}]`) as unknown;

limitHeapGrowth();
let kept: unknown[] = [];
for (let round = 0; round < 60; round++) {
  kept.push(listsOf(100_000));
  await delay(5);
}
const fullBytes = process.memoryUsage.rss();
kept = [];
while (process.memoryUsage.rss() > fullBytes / 2) {
  listsOf(20_000);
  await delay(10);
}
console.log(`${kept.length} kept`);
process.exit(0);
