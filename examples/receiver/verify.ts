import { createHmac, timingSafeEqual } from "node:crypto";

/** Older or newer than this is refused: whoever recorded a request cannot send it again tomorrow. */
const TOLERANCE_SECONDS = 300;

export class NotGenuine extends Error {}

/**
 * Checks a request by the rules of Standard Webhooks (https://www.standardwebhooks.com) and returns the event.
 *
 * `body` must be the very bytes that arrived, as text: parsing and printing the JSON again changes them, and the signature
 * no longer fits. Any library of Standard Webhooks does the same; this is all there is to it.
 */
export function verifyEvent(
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  nowSeconds: number = Date.now() / 1000,
): ReceivedEvent {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (!id || !timestamp || !signatures) throw new NotGenuine("A header is missing.");
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= TOLERANCE_SECONDS))
    throw new NotGenuine("The timestamp is too far from now.");

  // The secret is `whsec_` and the key in base64. What is signed is the id, the timestamp and the body, with dots between.
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();

  // While a secret rotates there are two signatures, the old one and the new one; one that fits is enough.
  const fits = signatures.split(" ").some((entry) => {
    const [version, signature = ""] = entry.split(",");
    const given = Buffer.from(signature, "base64");
    // Compared in constant time, so that nobody can find the signature letter by letter.
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!fits) throw new NotGenuine("No signature fits.");
  return JSON.parse(body) as ReceivedEvent;
}

export interface ReceivedEvent {
  /** The same in every retry and replay, and equal to the header `webhook-id`: remember it, and act once. */
  readonly id: string;
  /** New types may appear at any time; ignore those you do not know. */
  readonly type: string;
  readonly timestamp: string;
  readonly organizationId: string;
  readonly data: Readonly<Record<string, unknown>>;
}
