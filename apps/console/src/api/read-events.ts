/** The messages of an event stream that was asked for with a body, which `EventSource` cannot do. */
export async function* readEvents<Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const messages = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = messages.pop()!;
      for (const message of messages) {
        const data = message
          .split("\n")
          .filter((line) => line.startsWith("data:"))
          .map((line) => line.slice(5).trimStart())
          .join("\n");
        if (data !== "") yield JSON.parse(data) as Event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
