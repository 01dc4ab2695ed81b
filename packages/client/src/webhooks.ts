import type { MillraceEvent } from "./wire.ts";

export interface UnwrapOptions {
  /** How old a request may be, and how far ahead of this clock; 300 unless stated. */
  readonly toleranceSeconds?: number | undefined;
  /** Another clock, for tests. */
  readonly now?: Date | undefined;
}

export interface SignRequest {
  /** `whsec_…` */
  readonly secret: string;
  readonly id: string;
  readonly timestamp: Date;
}

/** A request that does not come from the service, or too late. */
export class WebhookVerificationError extends Error {
  override readonly name: string = "WebhookVerificationError";
}

type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Events that the service sends, signed by Standard Webhooks 1.0. */
export const webhooks: {
  /**
   * The event of a request, once its signature and time are checked. `body` must be the text as it arrived. While a secret is
   * rotated, either of the two will do: give both.
   *
   * @example const event = await webhooks.unwrap(await request.text(), request.headers, process.env.WEBHOOK_SECRET);
   */
  unwrap(
    body: string | Uint8Array,
    headers: HeaderBag,
    secret: string | readonly string[],
    options?: UnwrapOptions,
  ): Promise<MillraceEvent>;
  /** The headers of a signed request, to test a receiver with. */
  sign(body: string | Uint8Array, request: SignRequest): Promise<Record<string, string>>;
} = {
  async unwrap(body, headers, secret, { toleranceSeconds = 300, now = new Date() } = {}) {
    const id = headerOf(headers, "webhook-id");
    const timestamp = headerOf(headers, "webhook-timestamp");
    const signatures = headerOf(headers, "webhook-signature").split(" ");
    const ageSeconds = now.getTime() / 1_000 - Number(timestamp);
    if (!/^\d+$/.test(timestamp) || Math.abs(ageSeconds) > toleranceSeconds)
      throw new WebhookVerificationError(`The request was signed at ${timestamp || "no time"}, not now`);
    const signed = signedBytes(id, timestamp, body);
    for (const one of [secret].flat()) {
      const key = await keyOf(one, "verify");
      for (const signature of signatures) {
        const bytes = signature.startsWith("v1,") && bytesOf(signature.slice(3));
        // The platform compares in constant time.
        if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed)))
          return JSON.parse(textOf(body)) as MillraceEvent;
      }
    }
    throw new WebhookVerificationError("No signature fits the secret and the body");
  },

  async sign(body, { secret, id, timestamp }) {
    const seconds = String(Math.floor(timestamp.getTime() / 1_000));
    const key = await keyOf(secret, "sign");
    const signature = await crypto.subtle.sign("HMAC", key, signedBytes(id, seconds, body));
    const text = btoa(String.fromCharCode(...new Uint8Array(signature)));
    return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${text}` };
  },
};

function headerOf(headers: HeaderBag, name: string): string {
  const isMap = typeof (headers as Headers).get === "function";
  const value = isMap
    ? (headers as Headers).get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = [value ?? ""].flat().join(" ");
  if (text === "") throw new WebhookVerificationError(`The header ${name} is missing`);
  return text;
}

function signedBytes(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${id}.${timestamp}.${textOf(body)}`);
}

function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

function keyOf(secret: string, use: "sign" | "verify") {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length === 0)
    throw new WebhookVerificationError("The secret is not one of an event endpoint");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [use]);
}

/** Of Base64; undefined where it is none. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
