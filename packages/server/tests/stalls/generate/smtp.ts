import * as fc from "fast-check";
import type { Parts } from "../bytes.ts";
import { hostileScripts } from "./scripts.ts";
import { upstreamDeeds } from "./upstream-deeds.ts";
import { sizes } from "./values.ts";

const smtpLines: fc.Arbitrary<Parts> = fc
  .record({
    code: fc.constantFrom("220", "250", "354", "235", "334", "421", "550", "999", "abc"),
    text: fc.constantFrom(
      "ok",
      "",
      "AUTH PLAIN LOGIN CRAM-MD5",
      "SIZE 1",
      "STARTTLS",
      "8BITMIME",
      "2.0.0 ok",
    ),
    lines: fc.constantFrom(0, 1, 100, 50_000, 400_000),
    long: sizes,
  })
  .map(({ code, text, lines, long }) => [
    { repeat: `${code}-${text}\r\n`, times: lines },
    `${code} ${text}`,
    { repeat: "a", times: long },
    "\r\n",
  ]);
const smtpRight: Parts[] = [
  ["250-x\r\n250 SIZE 99\r\n"],
  ["250 ok\r\n"],
  ["250 ok\r\n"],
  ["354 go\r\n"],
  ["250 ok\r\n"],
  ["221 bye\r\n"],
];

export const smtpDeeds = upstreamDeeds(
  ["smtp"],
  hostileScripts(
    fc.tuple(fc.nat(smtpRight.length), smtpLines).map(([at, odd]) => ({
      greeting: at === 0 ? odd : ["220 x\r\n"],
      replies: smtpRight.with(Math.max(0, at - 1), at === 0 ? smtpRight[0]! : odd),
    })),
  ),
);
