import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), "utf8");
const page = read("docs/operating.md");

it("names settings that there are", () => {
  const known = new Set<string>(Object.values(settings).map(({ variable }) => variable));
  const named = [...page.matchAll(/\b(?:MILLRACE|OTEL)_[A-Z_]+\b/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it("names every metric of ours", async () => {
  const { text } = await createMetrics().render();
  const own = [...text.matchAll(/^# TYPE (millrace_\S+)/gm)].map(([, name]) => name!);
  expect(own.length).toBeGreaterThan(15);
  expect(own.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});
