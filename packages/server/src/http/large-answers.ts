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

/** No text, no bytes, no stream: what fastify would write as JSON in one go. */
function isPlain(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
}

/** Others have their turn while it is written. */
export async function sendInTurn(body: unknown, reply: FastifyReply): Promise<FastifyReply> {
  const caller = callerOf(reply.request);
  const { pieces } = await driveSliced(writeJsonText(body), () => eventLoop.giveWay(caller));
  return reply.header("content-type", "application/json; charset=utf-8").send(Buffer.concat(pieces));
}
