import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { freeBytes } from "../domain/free-bytes.ts";
import { JsonFault, type ScannedJson, scanBody } from "../domain/json.ts";
import { Refusal } from "../domain/refusal.ts";
import { eventLoop } from "../lifecycle/event-loop.ts";
import { during } from "../lifecycle/under-way.ts";
import { collectYoung } from "../lifecycle/young-generation.ts";
import { callerOf, isLargeBody } from "./large-bodies.ts";
import { areManyValues, ParsedBodies } from "./parsed-bodies.ts";
import { CountedRequest } from "./pieces.ts";
import { requestLabel } from "./request-label.ts";
import type { BodyType } from "./route.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What a body is before it becomes a value. */
type Scan = (bytes: Buffer) => ScannedJson;

/** JSON everywhere; forms and texts only where a route says so. Everything else is a 415. */
export function acceptBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parsedBodies = new ParsedBodies();
  const accept = (contentType: string | RegExp, type: BodyType, scan: Scan) => {
    server.addContentTypeParser(contentType, { parseAs: "buffer" }, (request, body, done) => {
      const bytes = body as Buffer;
      let scanned: ScannedJson | undefined;
      try {
        refuseUnwanted(request, bytes, type);
        if (bytes.length === 0) return done(null, undefined);
        if (!isLargeBody(bytes.length)) {
          // Read before anybody could notice, but for what it becomes.
          scanned = scan(bytes);
          if (!areManyValues(scanned.values)) return done(null, scanned.parse());
        }
      } catch (error) {
        return done(asRefusal(error));
      }
      readInTurn(request, scanned ?? (() => scan(bytes)), parsedBodies).then(
        (value) => {
          freeBytes(bytes);
          // What is made of it takes as long again.
          eventLoop.queue(callerOf(request), () => done(null, value));
        },
        (error: unknown) => done(asRefusal(error)),
      );
    });
  };
  accept("application/json", "json", (bytes) => scanBody(decodeUtf8(bytes)));
  accept("application/x-www-form-urlencoded", "form", (bytes) =>
    unscanned(() => parseForm(decodeUtf8(bytes))),
  );
  accept(/^text\//, "text", (bytes) => unscanned(() => decodeUtf8(bytes)));
  server.addContentTypeParser("*", (_request, payload, done) => refuseAnyByte(payload, done));
}

/** What cannot become much larger than it is. */
function unscanned(parse: () => unknown): ScannedJson {
  return { values: 0, parse };
}

/** Step by step; others have their turn in between. */
async function readInTurn(
  request: FastifyRequest,
  scanned: ScannedJson | (() => ScannedJson),
  parsedBodies: ParsedBodies,
): Promise<unknown> {
  const caller = callerOf(request);
  const turn = <Result>(work: () => Result) =>
    new Promise<Result>((resolve, reject) =>
      eventLoop.queue(caller, () => {
        try {
          resolve(during(requestLabel(request), "", work));
        } catch (error) {
          reject(error as Error);
        }
      }),
    );
  const { values, parse } = typeof scanned === "function" ? await turn(scanned) : scanned;
  const { answer } = request.raw as CountedRequest;
  if (answer && areManyValues(values)) await parsedBodies.enter(caller, values, answer);
  return turn(() => {
    const value = parse();
    collectYoung();
    return value;
  });
}

function refuseUnwanted({ raw, routeOptions, headers }: FastifyRequest, bytes: Buffer, type: BodyType): void {
  if (raw instanceof CountedRequest && raw.inTooManyPieces) throw tooManyPieces();
  const types = routeOptions.config.route?.bodyTypes ?? ["json"];
  if (bytes.length > 0 && !(types.includes(type) && headers["content-encoding"] === undefined))
    throw new Refusal("unsupported_media_type");
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

function asRefusal(error: unknown): Error {
  if (!(error instanceof JsonFault)) return error as Error;
  return new Refusal("invalid_request_body", { issues: [{ path: [...error.path], message: error.message }] });
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
