import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { writeJsonText } from "../domain/json-text.ts";
import { type JsonLimits, measureJson } from "../domain/json-measure.ts";
import { driveSliced } from "../domain/sliced.ts";
import { eventLoop } from "../lifecycle/event-loop.ts";
import { AnswerRoom } from "./answer-room.ts";
import { callerOf } from "./large-bodies.ts";
import type { Answer } from "./route.ts";

/** What is less is written before anybody could notice. */
const small: JsonLimits = { bytes: 100_000, values: 5_000, depth: 200 };

/** Whether an answer is a value that takes long to write as JSON. */
export function isLargeJson(body: unknown): boolean {
  return isPlain(body) && typeof measureJson(body, small) !== "number";
}

/** To hand over more to the system takes as long as a request. */
const slightBytes = 50_000;
const bytesPerMs = 300_000;

/** A process has one memory. The largest run takes 13 MB, and there is room for one whatever another caller asks for. */
const unsent = new AnswerRoom({
  maxBytes: 56 * 1_048_576,
  maxWaitingBytes: 28 * 1_048_576,
  greed: 1,
});
/** Who reads slower than this holds memory that others wait for. */
const readAtLeast = { ms: 30_000, bytesPerMs: 50 };

/** Whether an answer that is written already takes long to send. */
export function isLong(body: unknown): body is string | Buffer {
  return (typeof body === "string" || Buffer.isBuffer(body)) && body.length > slightBytes;
}

/**
 * A long answer is in memory until the last of it is read, and many may wait for one reader; a thousand who wait for the
 * same page would be sent it in one turn.
 */
export async function sendLong(answer: Answer, reply: FastifyReply): Promise<FastifyReply> {
  const body = answer.body as string | Buffer;
  const { length } = body;
  const caller = callerOf(reply.request);
  if (!answer.isKept) {
    await unsent.enter(caller, length, reply.raw);
    endSlowReader(reply.raw, length);
  }
  const bytes = typeof body === "string" ? await encodeInTurn(body, caller) : body;
  await eventLoop.giveWay(caller, length / bytesPerMs);
  return sendNow({ ...answer, headers: { ...textHeaders, ...answer.headers }, body: bytes }, reply);
}

const textHeaders = { "content-type": "text/plain; charset=utf-8" };
const encodedInATurn = 500_000;

/** Others have their turn while a text becomes bytes. */
async function encodeInTurn(text: string, caller: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  let filled = 0;
  for (let at = 0; at < text.length;) {
    const end = endOfCharacter(text, at + encodedInATurn);
    filled += bytes.write(text.slice(at, end), filled);
    at = end;
    await eventLoop.giveWay(caller);
  }
  return bytes;
}

/** Two units of a text may be one character. */
function endOfCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at + 1 : at;
}

export function sendNow({ status, headers, body }: Answer, reply: FastifyReply): FastifyReply {
  if (headers) void reply.headers(headers);
  return reply.code(status).send(body);
}

function endSlowReader(answer: ServerResponse, length: number): void {
  const { ms, bytesPerMs: rate } = readAtLeast;
  const timer = setTimeout(() => answer.destroy(), ms + length / rate);
  answer.once("close", () => clearTimeout(timer));
}

/** No text, no bytes, no stream: what fastify would write as JSON in one go. */
function isPlain(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
}

/** Others have their turn while it is written. */
export async function sendInTurn(answer: Answer, reply: FastifyReply): Promise<FastifyReply> {
  const caller = callerOf(reply.request);
  const { pieces } = await driveSliced(writeJsonText(answer.body), () => eventLoop.giveWay(caller));
  const headers = { ...answer.headers, "content-type": "application/json; charset=utf-8" };
  return sendLong({ ...answer, headers, body: Buffer.concat(pieces) }, reply);
}
