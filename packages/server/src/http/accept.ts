/** Only a caller that names event streams gets one where there is a plain answer as well. */
export function asksForEventStream(accept: string | undefined): boolean {
  return accept !== undefined && accept.toLowerCase().split(",").some(namesEventStream);
}

/** Named with a quality of 0 it is refused. */
function namesEventStream(entry: string): boolean {
  const [type, ...parameters] = entry.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  return type === "text/event-stream" && (quality === undefined || Number(quality.slice(2)) > 0);
}
