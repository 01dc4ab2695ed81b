import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { randomBase62, toBase62 } from "./base62.ts";

export type KeyScope = "org" | "user";

const FORM = /^mr_(org|usr)_[0-9A-Za-z]{38}$/;
const CHECKSUM_WIDTH = 6;
const PREFIX: Record<KeyScope, string> = { org: "mr_org_", user: "mr_usr_" };

export function makeApiKey(scope: KeyScope): string {
  const body = PREFIX[scope] + randomBase62(32);
  return body + checksum(body);
}

/** Form and checksum alone: a mistyped or invented key costs no query. */
export function looksLikeApiKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_WIDTH)) === text.slice(-CHECKSUM_WIDTH);
}

/** Also a mistyped one: it is nobody else's business. */
export function isMeantAsApiKey(text: string): boolean {
  return text.startsWith("mr_");
}

export function hashApiKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Enough to recognise a key in a list, far too little to use it. */
export function apiKeyHint(key: string): string {
  return `${key.slice(0, 11)}…${key.slice(-4)}`;
}

function checksum(text: string): string {
  return toBase62(crc32(text), CHECKSUM_WIDTH);
}
