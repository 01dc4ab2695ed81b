import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { freeBytes } from "../domain/free-bytes.ts";
import { JsonFault, parseJson } from "../domain/json.ts";
import { Refusal } from "../domain/refusal.ts";
import { eventLoop } from "../lifecycle/event-loop.ts";
import { during } from "../lifecycle/under-way.ts";
import { collectYoung } from "../lifecycle/young-generation.ts";
import { callerOf, isLargeBody } from "./large-bodies.ts";
import { CountedRequest } from "./pieces.ts";
import { requestLabel } from "./request-label.ts";
import type { BodyType } from "./route.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** JSON everywhere; forms and texts only where a route says so. Everything else is a 415. */
export function acceptBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const accept = (contentType: string | RegExp, type: BodyType, parse: (bytes: Buffer) => unknown) => {
    server.addContentTypeParser(contentType, { parseAs: "buffer" }, (request, body, done) => {
      const isLarge = isLargeBody(body.length);
      // A small one is read before anybody could notice.
      const inTurn = (work: () => void) => (isLarge ? eventLoop.queue(callerOf(request), work) : work());
      const read = () => {
        try {
          const read = () => readBody(body as Buffer, parse);
          const value = isLarge ? during(requestLabel(request), "", read) : read();
          if (isLarge) collectYoung();
          // What is made of it takes as long again.
          inTurn(() => done(null, value));
        } catch (error) {
          done(error as Error);
        }
      };
      try {
        if (request.raw instanceof CountedRequest && request.raw.inTooManyPieces) throw tooManyPieces();
        const types = request.routeOptions.config.route?.bodyTypes ?? ["json"];
        if (body.length > 0 && !(types.includes(type) && request.headers["content-encoding"] === undefined)) {
          throw new Refusal("unsupported_media_type");
        }
      } catch (error) {
        done(error as Error);
        return;
      }
      inTurn(read);
    });
  };
  accept("application/json", "json", (bytes) => parseJson(decodeUtf8(bytes)));
  accept("application/x-www-form-urlencoded", "form", (bytes) => parseForm(decodeUtf8(bytes)));
  accept(/^text\//, "text", decodeUtf8);
  server.addContentTypeParser("*", (_request, payload, done) => refuseAnyByte(payload, done));
}

/** What no route reads may be empty; its first byte is refused, and the rest is not waited for. */
function refuseAnyByte(payload: IncomingMessage, done: (error: Error | null) => void): void {
  const settle = (error: Error | null) => {
    payload.off("data", onData).off("end", onEnd).off("error", settle);
    done(error);
  };
  const onData = () => settle(new Refusal("unsupported_media_type"));
  const onEnd = () => settle(null);
  payload.on("data", onData).on("end", onEnd).on("error", settle);
}

/** Nothing has no type: clients name one (`curl -d ''`, axios) whether they send something or not. */
export function forgetTypeOfNothing({ headers }: IncomingMessage): void {
  if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0) return;
  delete headers["content-type"];
  delete headers["content-encoding"];
}

function tooManyPieces(): Refusal {
  const message = "comes in too many small chunks; send larger ones, or the whole body with its length";
  return new Refusal("invalid_request_body", { issues: [{ path: [], message }] });
}

/** No body is no fault here: whether one is needed is the route's question. */
function readBody(bytes: Buffer, parse: (bytes: Buffer) => unknown): unknown {
  try {
    const value = bytes.length === 0 ? undefined : parse(bytes);
    freeBytes(bytes);
    return value;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new Refusal("invalid_request_body", {
      issues: [{ path: [...error.path], message: error.message }],
    });
  }
}

const MAX_FORM_FIELDS = 2_000;

/** A name that comes once is a text, one that comes again a list of texts. */
export function parseForm(text: string): Record<string, string | string[]> {
  if (text.split("&", MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw new JsonFault(`must not have more than ${MAX_FORM_FIELDS} fields`);
  const form = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === "__proto__" || name.includes("\0") || value.includes("\0"))
      throw new JsonFault("must not contain NUL or the name __proto__");
    const known = form.get(name);
    if (known === undefined) form.set(name, value);
    else if (Array.isArray(known)) known.push(value);
    else form.set(name, [known, value]);
  }
  return Object.fromEntries(form);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JsonFault("must be UTF-8 text");
  }
}
