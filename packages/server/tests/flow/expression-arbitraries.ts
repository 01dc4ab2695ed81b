import * as fc from "fast-check";

const key = fc.constantFrom("a", "b", "c", "items");
const scalar = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(1.5, 0.1, "", "a", "b c", "x,y", "12", "0x1F", "é😀z", true, false, null),
);
const data = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalar, tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));
const full = fc.record({
  a: data.value,
  b: data.value,
  c: scalar,
  items: fc.array(data.object, { maxLength: 4 }),
});
/** What an expression is evaluated over. */
export const root = fc.oneof(full, full, full, data.object, data.list);

const callOfOne = fc.constantFrom(
  "string number boolean not exists type length uppercase lowercase trim floor ceil abs round sqrt sum average max min count reverse distinct keys merge join".split(
    " ",
  ),
);
/** Any text of the bounded language; some fail, and some are more than it. */
export const { expression } = fc.letrec<{ expression: string; operand: string; path: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    tie("path"),
    fc.constantFrom("1", "2.5", "-1", "0", '"a"', '"b c"', "true", "false", "null", "$", "$$", "[]", "{}"),
    fc
      .tuple(
        tie("operand"),
        fc.constantFrom(
          "+",
          "-",
          "*",
          "/",
          "%",
          "=",
          "!=",
          "<",
          "<=",
          ">",
          ">=",
          "and",
          "or",
          "in",
          "&",
          "??",
          "?:",
        ),
        tie("operand"),
      )
      .map(([left, sign, right]) => `${left} ${sign} ${right}`),
    fc.tuple(tie("operand"), tie("operand"), tie("operand")).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
    fc.tuple(tie("operand"), tie("operand")).map(([a, b]) => `${a} ? ${b}`),
    tie("operand").map((a) => `-${a}`),
    fc.array(tie("expression"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    fc
      .array(fc.tuple(key, tie("expression")), { maxLength: 2 })
      .map((pairs) => `{${pairs.map(([name, value]) => `"${name}": ${value}`).join(", ")}}`),
    fc
      .tuple(callOfOne, tie("expression"))
      .map(([names, a]) => `$${names[a.length % names.length] as string}(${a})`),
    fc
      .tuple(
        fc.constantFrom(
          "append",
          "lookup",
          "contains",
          "split",
          "join",
          "substring",
          "substringBefore",
          "substringAfter",
          "pad",
          "round",
          "power",
          "string",
        ),
        tie("expression"),
        tie("expression"),
      )
      .map(([name, a, b]) => `$${name}(${a}, ${b})`),
    fc
      .tuple(
        fc.constantFrom("substring", "split", "pad"),
        tie("expression"),
        tie("expression"),
        tie("expression"),
      )
      .map(([name, a, b, c]) => `$${name}(${a}, ${b}, ${c})`),
    fc
      .tuple(tie("operand"), fc.constantFrom("sum", "count", "string", "keys"))
      .map(([a, name]) => `${a} ~> $${name}()`),
    fc.tuple(tie("operand"), tie("expression")).map(([a, b]) => `${a}[${b}]`),
    fc.tuple(tie("operand"), tie("operand")).map(([a, b]) => `${a}.${b}`),
    fc.tuple(tie("path"), tie("expression"), key).map(([a, b, c]) => `${a}.[${b}, ${c}]`),
    fc.tuple(tie("path"), tie("expression")).map(([a, b]) => `${a}.{"k": ${b}}`),
    tie("path").map((a) => `items.$.${a}`),
    tie("operand").map((a) => `${a}[]`),
  ),
  operand: fc.oneof(
    { depthSize: "small" },
    tie("path"),
    tie("expression").map((text) => `(${text})`),
  ),
  path: fc
    .array(
      fc
        .tuple(
          key,
          fc.constantFrom("", "", "", "[0]", "[-1]", "[1]", "[]", "[a]", "[a > 1]", "[$ = 1]", "[[0,1]]"),
        )
        .map(([name, suffix]) => name + suffix),
      { minLength: 1, maxLength: 3 },
    )
    .map((steps) => steps.join(".")),
}));
