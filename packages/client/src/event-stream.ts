/** One message of a Server-Sent Events stream. */
export interface StreamMessage {
  /** The last id that was given. */
  readonly id: string | undefined;
  /** Whether the message itself gave it. */
  readonly isNumbered: boolean;
  /** Missing where the message only gives an id. */
  readonly data: string | undefined;
  /** `message` unless stated. */
  readonly event: string;
}

/** Reads Server-Sent Events as they arrive, without comments. A reader that stops early closes the connection. */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  onPiece?: () => void,
): AsyncGenerator<StreamMessage> {
  let id: string | undefined;
  let isNumbered = false;
  let data: string[] = [];
  let event = "message";
  for await (const line of readLines(body, onPiece)) {
    if (line === "") {
      if (data.length > 0 || isNumbered)
        yield { id, isNumbered, data: data.length > 0 ? data.join("\n") : undefined, event };
      data = [];
      event = "message";
      isNumbered = false;
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id") {
      id = value;
      isNumbered = true;
    }
  }
}

/** Lines end with LF, CR or both, wherever the pieces were cut. */
async function* readLines(body: ReadableStream<Uint8Array>, onPiece?: () => void): AsyncGenerator<string> {
  let rest = "";
  // A reader, because not every browser can iterate over a stream.
  // By its plain type: browsers and Node declare differently what it takes.
  const decoder = new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>;
  const reader = body.pipeThrough(decoder).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onPiece?.();
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      yield* lines;
    }
  } finally {
    // Ends the connection where nobody reads on; after an end or a fault there is nothing left to do.
    reader.cancel().catch(() => {});
  }
}
