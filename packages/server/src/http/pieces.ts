import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { PieceCount } from "../domain/piece-count.ts";

const freePieces = 1_000;
const bytesPerPiece = 256;

/**
 * Counts the pieces of a body as the parser hands them over. A body in too many of them ends early, and nothing more is
 * read from its socket.
 */
export class CountedRequest extends IncomingMessage {
  inTooManyPieces = false;
  #count: PieceCount | undefined;

  override push(piece: Buffer | null): boolean {
    // The parser stops reading the socket where this is false.
    if (this.inTooManyPieces) return false;
    if (piece === null) return super.push(null);
    this.#count ??= new PieceCount(freePieces, bytesPerPiece);
    if (this.#count.add(piece.length)) return super.push(piece);
    this.inTooManyPieces = true;
    super.push(null);
    return false;
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
