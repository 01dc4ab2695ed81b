/**
 * Counts the pieces in which a stream comes. Each is a Buffer, an event and an entry in a list, which cost a thousand
 * times as much as a byte; a stream may have so many small ones, and beyond them one for so many bytes.
 */
export class PieceCount {
  readonly #freePieces: number;
  readonly #bytesPerPiece: number;
  #pieces = 0;
  #bytes = 0;

  constructor(freePieces: number, bytesPerPiece: number) {
    this.#freePieces = freePieces;
    this.#bytesPerPiece = bytesPerPiece;
  }

  /** Whether the stream, with this piece, is within its limit. */
  add(bytes: number): boolean {
    this.#pieces += 1;
    this.#bytes += bytes;
    return this.#pieces <= this.#freePieces + this.#bytes / this.#bytesPerPiece;
  }
}
