const TYPE = /^Invalid input: expected (\w+), received (\w+)$/;
const SIZE = /^Too (?:small|big): expected \w+ to (?:have|be) ([<>]=?)(\S+) ?(\w*)$/;
const BOUNDS: Readonly<Record<string, string>> = {
  ">=": "at least",
  "<=": "at most",
  ">": "more than",
  "<": "less than",
};

/** What zod says of a value where its schema has no words of its own, in words for whoever sent it. */
export function plainIssue(message: string): string {
  const [, expected = "", received] = TYPE.exec(message) ?? [];
  if (received === "undefined") return "is required";
  if (received !== undefined) return `must be ${/^[aeiou]/.test(expected) ? "an" : "a"} ${expected}`;
  const [, sign, limit, unit] = SIZE.exec(message) ?? [];
  if (sign === undefined) return message;
  return unit ? `must have ${BOUNDS[sign]} ${limit} ${unit}` : `must be ${BOUNDS[sign]} ${limit}`;
}
