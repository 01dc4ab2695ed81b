export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that has arrived so far, letter by letter. */
  text(): string;
  /** The next message, or undefined once the server has closed the stream. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
  next(): Promise<any>;
  /** All messages until the server closes. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  rest(): Promise<any[]>;
  /** Waits until a piece of text has arrived, comments included. */
  until(piece: string): Promise<void>;
  close(): Promise<void>;
}

export async function readEvents(
  url: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, accept: "text/event-stream", ...headers },
  });
  const body = answer.body ?? new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (end) => end.close() });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let at = 0;
  const more = async (): Promise<boolean> => {
    const { value, done } = await reader.read();
    text += value ?? "";
    return !done;
  };
  const next: EventReader["next"] = async () => {
    for (;;) {
      const end = text.indexOf("\n\n", at);
      if (end >= 0) {
        const block = text.slice(at, end);
        at = end + 2;
        const data = block.split("\n").find((line) => line.startsWith("data: "));
        if (data !== undefined) return JSON.parse(data.slice("data: ".length));
      } else if (!(await more())) return undefined;
    }
  };
  return {
    status: answer.status,
    headers: answer.headers,
    text: () => text,
    next,
    async rest() {
      const messages = [];
      for (let message = await next(); message !== undefined; message = await next()) messages.push(message);
      return messages;
    },
    async until(piece) {
      while (!text.includes(piece)) if (!(await more())) throw new Error(`the stream ended without ${piece}`);
    },
    close: () => reader.cancel(),
  };
}
