import type { FastifyReply } from "fastify";

/** Aborted where the caller closes the connection before it is answered. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const onClose = () => controller.abort();
  raw.once("close", onClose);
  raw.once("finish", () => raw.off("close", onClose));
  return controller.signal;
}
