import type { Dispatcher } from "undici";
import { PieceCount } from "../../domain/piece-count.ts";
import { GuardedHttpError } from "./guarded-http.ts";

/** Some models send a word in three chunks, which are small but come one by one. */
const freePieces = 10_000;
const bytesPerPiece = 32;

/** Ends an answer that comes in too many pieces while its bytes are parsed: its reader gets many pieces as one. */
export const countPieces: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, new CountingHandler(handler));

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

class CountingHandler implements Handler {
  readonly #handler: Handler;
  readonly #count = new PieceCount(freePieces, bytesPerPiece);

  constructor(handler: Handler) {
    this.#handler = handler;
  }

  onRequestStart(controller: Controller, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStart(...start: Parameters<NonNullable<Handler["onResponseStart"]>>): void {
    this.#handler.onResponseStart?.(...start);
  }

  onResponseData(controller: Controller, piece: Buffer): void {
    if (this.#count.add(piece.length)) this.#handler.onResponseData?.(controller, piece);
    else controller.abort(tooManyPieces());
  }

  onResponseEnd(...end: Parameters<NonNullable<Handler["onResponseEnd"]>>): void {
    this.#handler.onResponseEnd?.(...end);
  }

  onResponseError(controller: Controller, error: Error): void {
    this.#handler.onResponseError?.(controller, error);
  }
}

function tooManyPieces(): GuardedHttpError {
  return new GuardedHttpError("ResponseTooLarge", "The server sends its answer in too many small pieces.");
}
