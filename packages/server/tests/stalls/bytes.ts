import { gzipSync } from "node:zlib";
import { cook, type Recipe } from "./recipes.ts";

/** Bytes in the order of their parts. */
export type Part =
  | string
  /** Numbered: each of them begins with its place, so that no two are the same. */
  | { readonly repeat: string; readonly times: number; readonly numbered?: boolean }
  | { readonly json: Recipe }
  | { readonly hex: string; readonly times?: number }
  | { readonly gzip: Parts }
  /** As HTTP frames a body of unknown length, in chunks of so many bytes. */
  | { readonly chunked: Parts; readonly bytes: number };
export type Parts = readonly Part[];

export function bytesOf(parts: Parts): Buffer {
  return Buffer.concat(parts.map(bytesOfPart));
}

function bytesOfPart(part: Part): Buffer {
  if (typeof part === "string") return Buffer.from(part, "utf8");
  if ("json" in part) return Buffer.from(JSON.stringify(cook(part.json)), "utf8");
  if ("hex" in part) return Buffer.from(part.hex.repeat(part.times ?? 1), "hex");
  if ("chunked" in part) return inChunks(bytesOf(part.chunked), part.bytes);
  if ("gzip" in part) return gzipSync(bytesOf(part.gzip), { level: 1 });
  if (!part.numbered) return Buffer.from(part.repeat.repeat(part.times), "utf8");
  const all = Array.from({ length: part.times }, (_, at) => `${at}${part.repeat}`);
  return Buffer.from(all.join(""), "utf8");
}

export function inChunks(body: Buffer, size: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
  }
  return Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
}
