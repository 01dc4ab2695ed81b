/** A block of this size is used again. */
const maxKeptBytes = 4_096;

/** Bytes that come in pieces, kept in one block that doubles: each piece costs its own length, however small it is. */
export class GrowingBytes {
  #block = Buffer.alloc(0);
  length = 0;

  add(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#block.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** UTF-16, because a provider may cut a character in two. */
  addText(text: string): void {
    this.#reserve(text.length * 2);
    this.length += this.#block.write(text, this.length, "utf16le");
  }

  view(): Buffer {
    return this.#block.subarray(0, this.length);
  }

  clear(): void {
    if (this.#block.length > maxKeptBytes) this.#block = Buffer.alloc(0);
    this.length = 0;
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#block.length) return;
    const larger = Buffer.alloc(Math.max(needed, this.#block.length * 2, 256));
    larger.set(this.view());
    this.#block = larger;
  }
}

/** Text that comes in pieces. A chain of a million small strings would take fifty times its length. */
export class GrowingText {
  readonly #bytes = new GrowingBytes();

  get length(): number {
    return this.#bytes.length / 2;
  }

  add(text: string): void {
    this.#bytes.addText(text);
  }

  toString(): string {
    return this.#bytes.view().toString("utf16le");
  }

  clear(): void {
    this.#bytes.clear();
  }
}
