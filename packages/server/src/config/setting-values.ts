import { z } from "zod";

/* What settings may say: each reads a text. */

export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

export const httpUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .transform((text) => text.replace(/\/+$/, ""));

export const postgresUrl = z
  .string()
  .regex(
    /^postgres(ql)?:\/\//,
    "must look like postgres://user:password@host:5432/database, or host:5432,host:5432 for a primary and its standby",
  );

export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

export const cidrList = list.pipe(
  z.array(
    z.union([z.cidrv4(), z.cidrv6()], { error: "must be a list of networks such as 10.0.0.0/8,fd00::/8" }),
  ),
);

/** As OpenTelemetry writes headers: values may be percent-encoded. */
export const headerList = list.transform((parts, context) => {
  const pairs = parts.map((part) => /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(.*)$/.exec(part));
  if (pairs.every((pair) => pair !== null && isDecodable(pair[2]!)))
    return Object.fromEntries(pairs.map((pair) => [pair![1]!, decodeURIComponent(pair![2]!)]));
  context.addIssue({ code: "custom", message: "must look like name=value,name=value" });
  return z.NEVER;
});

function isDecodable(text: string): boolean {
  try {
    return /^[\t\x20-\x7e]*$/.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

export const ratio = z
  .string()
  .regex(/^(?:0|1|0?\.\d+|[01]\.0*)$/, "must be a number from 0 to 1")
  .transform(Number);

/** 32 bytes as base64 or hex; the same text always gives the same key. */
export const secretKey = z.string().transform((text, context) => {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  if (bytes.length === 32) return bytes;
  context.addIssue({
    code: "custom",
    message: "must be 32 bytes as base64 or hex; make one with: openssl rand -base64 32",
  });
  return z.NEVER;
});

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000 };
const LEAST_STALL_LIMIT_MS = 100;
const MAX_STALL_LIMIT_MS = 3_600_000;

/** A time in milliseconds; 0 = never. */
export const stallLimit = z.string().transform((text, context) => {
  const [, amount, unit = "s"] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(text) ?? [];
  const limitMs = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (limitMs === 0 || (limitMs >= LEAST_STALL_LIMIT_MS && limitMs <= MAX_STALL_LIMIT_MS)) return limitMs;
  context.addIssue({ code: "custom", message: "must be 0 or a time from 100ms to 60m, such as 10s" });
  return z.NEVER;
});
