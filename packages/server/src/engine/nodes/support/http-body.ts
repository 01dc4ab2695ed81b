import type { GuardedResponse } from "../../../upstream/guarded-http/guarded-http.ts";
import { JsonFault, parseForeignJson } from "../../../domain/json.ts";
import { NodeError } from "../node-type.ts";
import { isObject } from "./values.ts";

const FORM = "application/x-www-form-urlencoded";

/** Sets the content-type where the author has not. */
export function encodeBody(body: unknown, headers: Record<string, string>): string {
  if (typeof body === "string") {
    headers["content-type"] ??= "text/plain; charset=utf-8";
    return body;
  }
  headers["content-type"] ??= "application/json";
  if (!headers["content-type"].startsWith(FORM) || !isObject(body)) return JSON.stringify(body);
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(body)) {
    form.append(key, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form.toString();
}

export function readBody(response: GuardedResponse): { body: unknown; bodyEncoding?: "base64" } {
  if (response.body.length === 0) return { body: null };
  const text = decodeUtf8(response.body);
  if (text === undefined)
    return { body: Buffer.from(response.body).toString("base64"), bodyEncoding: "base64" };
  return { body: isJson(response.headers["content-type"]) ? parseJson(text) : text };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isJson(contentType: string | string[] | undefined): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(String(contentType));
}

/** A server that calls its error page JSON still gets its text through. */
function parseJson(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch (error) {
    if (error instanceof JsonFault)
      throw new NodeError("ResponseTooLarge", `The JSON that the server answered ${error.message}.`);
    return text;
  }
}
