import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, errorCatalogue } from "@millrace/contract/errors";
import { endings } from "./paced-endings.ts";

const CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "headers_too_large",
};

/**
 * Answers what never became a request, in the words of the catalogue, and hangs up: in turns, since Node finds
 * all connections that are late at once.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === "ECONNRESET") return;
  hangUp(socket, CODES[error.code ?? ""] ?? "bad_request", requestId);
}

/** Answers for the last time on a connection, when its turn comes. */
export function hangUp(socket: Socket, code: ErrorCode, requestId: string): void {
  endings.inTurn(() => {
    if (socket.destroyed) return;
    if (socket.writable && !isAnswering(socket)) socket.write(answerText(code, requestId));
    socket.destroy();
  });
}

/** Bytes between those of an answer that is under way would look like a part of it. */
function isAnswering(socket: Socket): boolean {
  return (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent ?? false;
}

function answerText(code: ErrorCode, requestId: string): string {
  const { status, error: short, message } = errorCatalogue[code];
  const body = JSON.stringify({ success: false, error: short.en, message: message.en, code });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "connection: close",
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    "",
    body,
  ].join("\r\n");
}
