import { array, assert, nat, property, string } from "fast-check";
import { expect, it } from "vitest";
import { WholeCharacters } from "../../src/domain/agent/whole-characters.ts";

it("never cuts a character, wherever the pieces are cut, and loses nothing", () => {
  assert(
    property(string({ unit: "binary" }), array(nat(), { maxLength: 20 }), (text, cuts) => {
      const clean = text.replaceAll("\0", "\ufffd");
      const at = [...new Set(cuts.map((cut) => cut % (clean.length + 1)))].sort((a, b) => a - b);
      const whole = new WholeCharacters();
      const pieces = [0, ...at].map((from, index) =>
        whole.push(clean.slice(from, at[index] ?? clean.length)),
      );
      pieces.push(whole.end());
      expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      expect(pieces.join("")).toBe(clean);
    }),
  );
});

it("replaces halves that never find their other half, and NUL", () => {
  const whole = new WholeCharacters();
  expect(
    ["a\0b", "\ud83e", "x", "\udd86", "\ud83e"].map((piece) => whole.push(piece)).join("") + whole.end(),
  ).toBe("a\ufffdb\ufffdx\ufffd\ufffd");
});
