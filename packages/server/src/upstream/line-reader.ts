import { GrowingBytes } from "./growing-text.ts";

const lineFeed = 10;
const byteOrderMark = "\uFEFF";

export interface LineLimits {
  readonly maxLineBytes: number;
  readonly maxLines: number;
  /** Makes the error that ends the reading. */
  readonly onExceeded: () => Error;
}

/** Cuts a stream of bytes into lines, in time that grows with its length alone, whatever its pieces are. */
export class LineReader {
  readonly #limits: LineLimits;
  readonly #rest = new GrowingBytes();
  #lines = 0;

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  /** The lines that end in this piece. */
  push(piece: Uint8Array): string[] {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    const lines: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      lines.push(this.#line(bytes, start, end));
      start = end + 1;
    }
    this.#check(bytes.length - start);
    if (start < bytes.length) this.#rest.add(bytes.subarray(start));
    return lines;
  }

  /** What came after the last line feed. */
  end(): string {
    return this.#line(Buffer.alloc(0), 0, 0);
  }

  #line(bytes: Buffer, start: number, end: number): string {
    this.#lines += 1;
    this.#check(end - start);
    const line = this.#joined(bytes, start, end);
    return this.#lines === 1 && line.startsWith(byteOrderMark) ? line.slice(1) : line;
  }

  #joined(bytes: Buffer, start: number, end: number): string {
    if (this.#rest.length === 0) return bytes.toString("utf8", start, end);
    this.#rest.add(bytes.subarray(start, end));
    const line = this.#rest.view().toString("utf8");
    this.#rest.clear();
    return line;
  }

  #check(moreBytes: number): void {
    const { maxLineBytes, maxLines, onExceeded } = this.#limits;
    if (this.#rest.length + moreBytes > maxLineBytes || this.#lines > maxLines) throw onExceeded();
  }
}
