/** How much the caller wants a media type, by the most specific entry of its Accept header; 0 is a refusal. */
function qualityOf(accept: string, names: readonly string[]): number | undefined {
  for (const name of names) {
    for (const entry of accept.toLowerCase().split(",")) {
      const [type, ...parameters] = entry.split(";").map((part) => part.trim());
      if (type !== name) continue;
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
    }
  }
  return undefined;
}

/** Only a caller that names event streams gets one where there is a plain answer as well. */
export function asksForEventStream(accept: string | undefined): boolean {
  return accept !== undefined && (qualityOf(accept, ["text/event-stream"]) ?? 0) > 0;
}

export function refusesEventStream(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === "") return false;
  return (qualityOf(accept, ["text/event-stream", "text/*", "*/*"]) ?? 0) === 0;
}
