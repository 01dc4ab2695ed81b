/** Counts bytes in memory, added and given back. */
export interface MemoryCount {
  add(bytes: number): void;
}

/** What the nodes of a scope were given and have made. It is kept until the scope ends; then only its result is. */
export class ScopeMemory implements MemoryCount {
  readonly #around: MemoryCount | undefined;
  #bytes = 0;

  constructor(around: MemoryCount | undefined) {
    this.#around = around;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.#around?.add(bytes);
  }

  end(resultBytes: number): void {
    this.#around?.add(resultBytes - this.#bytes);
    this.#bytes = 0;
  }
}
