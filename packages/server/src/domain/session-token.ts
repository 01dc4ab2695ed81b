import { createHash, randomBytes } from "node:crypto";

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, for a cookie or a link. */
export function makeSecretToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What cannot be one costs no query. */
export function looksLikeSecretToken(text: string): boolean {
  return FORM.test(text);
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
