import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const read = (path: string) => readFileSync(root + path, "utf8");

const rooms = readdirSync(`${root}packages/server/src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** From the table in ARCHITECTURE: which rooms each room may import. */
const drawn = new Map(
  [...read("ARCHITECTURE.md").matchAll(/^\| `(\w+)\/` +\| imports (.+?) +\|$/gm)].map(([, room, imports]) => [
    room!,
    [...imports!.matchAll(/`(\w+)\/`/g)].map(([, name]) => name!),
  ]),
);

interface LintOverride {
  readonly files: readonly string[];
  readonly rules: {
    readonly "no-restricted-imports"?: [string, { patterns: { regex: string }[] }];
  };
}

/** From the lint rules: what they let each room import. */
function linted(room: string): string[] {
  const { overrides } = JSON.parse(read(".oxlintrc.json")) as { overrides: LintOverride[] };
  const rule = overrides.find(({ files }) => files.includes(`packages/server/src/${room}/**`))?.rules;
  const [, { patterns }] = rule!["no-restricted-imports"]!;
  return rooms.filter(
    (other) => other !== room && !patterns.some(({ regex }) => new RegExp(regex).test(`../${other}/file.ts`)),
  );
}

it("the table names every room but the one that builds them", () => {
  expect([...drawn.keys(), "compose"].sort()).toEqual(rooms.sort());
});

it.each([...drawn])("lint lets %s import what the table says, and nothing else", (room, imports) => {
  expect(linted(room)).toEqual(imports.sort());
});
