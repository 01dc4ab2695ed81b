/** One message of a Server-Sent Events stream. */
export interface StreamMessage {
  readonly id: string | undefined;
  readonly data: string;
}

/**
 * Reads Server-Sent Events as they arrive; comments and messages without data are left out. A reader that stops early
 * closes the connection.
 */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line === "") {
      if (data.length > 0) yield { id, data: data.join("\n") };
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "id") id = value;
  }
}

/** Lines end with LF, CR or both, wherever the pieces were cut. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  // A reader, because not every browser can iterate over a stream.
  // By its plain type: browsers and Node declare differently what it takes.
  const decoder = new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>;
  const reader = body.pipeThrough(decoder).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      yield* lines;
    }
  } finally {
    // Ends the connection where nobody reads on; after an end or a fault there is nothing left to do.
    reader.cancel().catch(() => {});
  }
}
