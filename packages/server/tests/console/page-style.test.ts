import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pageStyle } from "../../src/http/pages/style.ts";

const tokens = readFileSync(
  new URL("../../../../apps/console/src/styles/tokens.css", import.meta.url),
  "utf8",
);
const plain = (value: string) => value.replaceAll(/\s+/g, "").toLowerCase();
const valuesIn = (css: string) =>
  new Map([...css.matchAll(/(--[\w-]+):\s*([^;}]+)/g)].map(([, name, value]) => [name!, plain(value!)]));

it("pages that the service writes itself have the colours of the console", () => {
  const own = valuesIn(pageStyle.slice(0, pageStyle.indexOf("}")));
  expect(own.size).toBeGreaterThan(15);
  const theirs = valuesIn(tokens);
  for (const [name, value] of own) expect([name, value]).toEqual([name, theirs.get(name)]);
});
