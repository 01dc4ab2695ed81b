import { randomBytes } from "node:crypto";

export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);
let used = 0;

/** Random bytes are fetched in bulk: ids are made by the thousand, and each fetch has its price. */
function randomByte(): number {
  if (used === pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  return pool[used++]!;
}

/** Evenly distributed: bytes that would favour the first characters are thrown away. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = randomByte();
    if (byte < 248) text += BASE62[byte % 62];
  }
  return text;
}

export function toBase62(value: number, width: number): string {
  let text = "";
  for (let rest = value; text.length < width; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text;
  return text;
}
