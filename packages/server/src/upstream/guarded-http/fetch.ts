import type { GuardedAnswer, GuardedHttp, GuardedRequest } from "./guarded-http.ts";

type FetchFields = Parameters<GuardedHttp["fetchFor"]>[0];

const bodiless = new Set([101, 204, 205, 304]);

/** The guarded exchange in the clothes of WHATWG fetch. Request bodies are read whole, so that they can be sent again. */
export function guardedFetch(
  fields: FetchFields,
  open: (request: GuardedRequest) => Promise<GuardedAnswer>,
): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input as string | URL | Request, init);
    // The caller's own: the signal of a Request goes deaf once the Request is collected, in the middle of a stream.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const body = asked.body === null ? undefined : new Uint8Array(await asked.arrayBuffer());
    const request: GuardedRequest = {
      ...fields,
      url: asked.url,
      method: asked.method,
      headers: Object.fromEntries(asked.headers),
      ...(signal ? { signal } : {}),
      ...(body === undefined ? {} : { body }),
      ...(asked.redirect === "follow" ? {} : { maxRedirects: 0 }),
    };
    // Callers tell their own abort from a failure by the reason they gave.
    const opened = await open(request).catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error;
    });
    if (bodiless.has(opened.status)) await drain(opened.body);
    return toResponse(opened, signal);
  };
}

function toResponse(opened: GuardedAnswer, signal: AbortSignal | undefined): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(opened.headers)) {
    for (const item of [value].flat()) headers.append(name, item);
  }
  const body = bodiless.has(opened.status) ? null : toStream(opened, signal);
  const response = new Response(body, { status: opened.status, headers });
  Object.defineProperty(response, "url", { value: opened.url });
  return response;
}

async function drain(body: AsyncGenerator<Uint8Array>): Promise<void> {
  let done: boolean | undefined = false;
  while (!done) done = (await body.next()).done;
}

/** A stream that is given up, or aborted while nobody reads, closes the connection too. */
function toStream(
  { body, close }: GuardedAnswer,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await body.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(signal?.aborted ? signal.reason : error);
      }
    },
    // Not by the generator: it would wait for the next piece, which may never come.
    cancel: close,
  });
}
