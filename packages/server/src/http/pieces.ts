import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { PieceCount } from "../domain/piece-count.ts";
import { TurnShare } from "../lifecycle/turn-share.ts";

const freePieces = 1_000;
const bytesPerPiece = 256;

/** Bytes of bodies, and what a socket brings before it can be stopped. Of all servers: the event loop is one. */
const intake = new TurnShare({ most: 1_048_576, each: 65_536 });

/**
 * Counts the pieces of a body as the parser hands them over. A body in too many of them ends early, and nothing more is
 * read from its socket; where all bodies together bring much, the rest is read in the next turns.
 */
export class CountedRequest extends IncomingMessage {
  inTooManyPieces = false;
  /** To what comes with a body that may become much. */
  answer: ServerResponse | undefined;
  #count: PieceCount | undefined;
  #isDropped = false;

  override push(piece: Buffer | null): boolean {
    // The parser stops reading the socket where this is false.
    if (this.inTooManyPieces) return false;
    if (piece === null) return super.push(null);
    this.#count ??= new PieceCount(freePieces, bytesPerPiece);
    if (!this.#isDropped && !this.#count.add(piece.length)) {
      this.inTooManyPieces = true;
      super.push(null);
      return false;
    }
    const mayGoOn = intake.take(piece.length);
    return super.push(piece) && mayGoOn;
  }

  /** Reads on from the socket. */
  override _read(size: number): void {
    intake.whenRoom(() => super._read(size));
  }

  /** Node would take what nobody wants from the socket as fast as it comes. */
  _dump(): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.removeAllListeners("data");
    this.resume();
  }
}

/**
 * Ends the connection where an answer is known before the body is read: Node would keep the connection and read the
 * rest of it, piece by piece, for nobody. A body with a length comes in pieces as large as the network's.
 */
export class CountedResponse extends ServerResponse<CountedRequest> {
  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    const { req } = this;
    if (req.inTooManyPieces || (!req.complete && isChunked(req))) this.shouldKeepAlive = false;
    return super.writeHead(status, reason as string, headers);
  }
}

/** From the list as it came: making the object of all headers costs more than a small answer. */
function isChunked({ rawHeaders }: IncomingMessage): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 17 && name.toLowerCase() === "transfer-encoding") return true;
  }
  return false;
}
