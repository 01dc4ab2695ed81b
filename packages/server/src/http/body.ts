import type { FastifyInstance } from "fastify";
import { JsonFault, parseJson } from "../domain/json.ts";
import { Refusal } from "../domain/refusal.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** JSON and nothing else; every other type is a 415. Routes that take more add their own parser in a scope of their own. */
export function acceptJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    try {
      if (request.headers["content-encoding"] !== undefined) throw new Refusal("unsupported_media_type");
      done(null, parseBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

export function parseBody(bytes: Buffer): unknown {
  try {
    if (bytes.length === 0) throw new JsonFault("must be a JSON object");
    return parseJson(decodeUtf8(bytes));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new Refusal("invalid_request_body", { issues: [{ path: [], message: error.message }] });
  }
}

export function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JsonFault("must be UTF-8 text");
  }
}
