import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { guards } from "../../../../scripts/mutations.ts";

const server = new URL("../../", import.meta.url);

it("every guard of the mutation proof has a name of its own, and stands where the proof takes it out", async () => {
  expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length);
  const stale: string[] = [];
  for (const { name, file, cut, suites } of guards) {
    const text = await readFile(new URL(file, server), "utf8");
    for (const [part] of cut) if (!text.includes(part)) stale.push(`${name}: ${part} is not in ${file}`);
    for (const suite of suites) {
      const [path] = suite.split(" › ");
      if (!existsSync(new URL(`tests/${path}`, server))) stale.push(`${name}: there is no ${path}`);
    }
  }
  expect(stale).toEqual([]);
});
