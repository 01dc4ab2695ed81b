/** The messages of an event stream that was asked for with a body, which `EventSource` cannot do. */
export async function* readEvents<Event>(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Event & { readonly id: string | undefined }> {
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
        const lines = message.split("\n");
        const field = (name: string) =>
          lines
            .filter((line) => line.startsWith(`${name}:`))
            .map((line) => line.slice(name.length + 1).trimStart());
        const data = field("data").join("\n");
        if (data !== "") yield { ...(JSON.parse(data) as Event), id: field("id").at(-1) };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
