import { createHash } from "node:crypto";

type Words = [number, number, number, number];

/** Four words that a seed stands for. */
export function seedWords(seed: string): Words {
  const digest = createHash("sha256").update(seed).digest();
  return [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8), digest.readUInt32LE(12)];
}

/**
 * Numbers in [0, 1) that follow from a seed: Chris Doty-Humphrey's sfc32. The guest of `code` is given the text of this
 * function, so it stands by itself.
 */
export function sfc32([a, b, c, d]: Words): () => number {
  return () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
}
