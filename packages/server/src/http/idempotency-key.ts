import type { FastifyRequest } from "fastify";
import { Refusal } from "../domain/refusal.ts";
import { headerText } from "./errors.ts";

const MAX_KEY_LENGTH = 2_048;

/** The key that a header holds: any printable text. Two headers of the name are one with a comma, as HTTP has it. */
export function idempotencyKeyOf(request: FastifyRequest, header: string): string | undefined {
  const bytes = headerText(request, header.toLowerCase());
  if (bytes === undefined) return undefined;
  const key = utf8Of(bytes);
  if (key !== "" && key.length <= MAX_KEY_LENGTH && !/\p{Cc}/u.test(key)) return key;
  throw invalidHeader(header, `must be 1 to ${MAX_KEY_LENGTH} printable characters`);
}

/** The key of a trigger, in the body or in the header; one that names two does not say which it means. */
export function triggerKey(request: FastifyRequest, inBody: string | undefined): string | undefined {
  const header = "Idempotency-Key";
  const inHeader = idempotencyKeyOf(request, header);
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody)
    throw invalidHeader(header, "must equal idempotencyKey of the body; send one of the two");
  return inHeader ?? inBody;
}

/** Node gives the bytes of a header as Latin-1; where they are UTF-8, that is what was meant. */
function utf8Of(bytes: string): string {
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  return text.includes("\uFFFD") ? bytes : text;
}

function invalidHeader(header: string, message: string): Refusal {
  return new Refusal("invalid_request_body", { issues: [{ path: ["headers", header], message }] });
}
