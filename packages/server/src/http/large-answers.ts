import type { FastifyReply } from "fastify";
import { writeJsonText } from "../domain/json-text.ts";
import { type JsonLimits, measureJson } from "../domain/json-measure.ts";
import { driveSliced } from "../domain/sliced.ts";
import { eventLoop } from "../lifecycle/event-loop.ts";
import { callerOf } from "./large-bodies.ts";

/** What is less is written before anybody could notice. */
const small: JsonLimits = { bytes: 100_000, values: 5_000, depth: 200 };

/** Whether an answer is a value that takes long to write as JSON. */
export function isLargeJson(body: unknown): boolean {
  return isPlain(body) && typeof measureJson(body, small) !== "number";
}

/** To hand over more to the system takes as long as a request. */
const slightBytes = 50_000;
const bytesPerMs = 300_000;

/** Whether an answer that is written already takes long to send. */
export function isLong(body: unknown): body is string | Buffer {
  return (typeof body === "string" || Buffer.isBuffer(body)) && body.length > slightBytes;
}

/** A thousand who wait for the same page would be sent it in one turn. */
export async function sendLong(body: string | Buffer, reply: FastifyReply): Promise<FastifyReply> {
  await eventLoop.giveWay(callerOf(reply.request), body.length / bytesPerMs);
  return reply.send(body);
}

/** No text, no bytes, no stream: what fastify would write as JSON in one go. */
function isPlain(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
}

/** Others have their turn while it is written. */
export async function sendInTurn(body: unknown, reply: FastifyReply): Promise<FastifyReply> {
  const caller = callerOf(reply.request);
  const { pieces } = await driveSliced(writeJsonText(body), () => eventLoop.giveWay(caller));
  void reply.header("content-type", "application/json; charset=utf-8");
  return sendLong(Buffer.concat(pieces), reply);
}
