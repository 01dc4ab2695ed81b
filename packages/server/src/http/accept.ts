/** Only a caller that names JSON gets it where there is a page as well; browsers name pages. */
export function asksForJson(accept: string | undefined): boolean {
  const named = (accept ?? "").toLowerCase().split(",");
  return (
    named.some((entry) => names(entry, "application/json")) &&
    !named.some((entry) => names(entry, "text/html"))
  );
}

/** Only a caller that names event streams gets one where there is a plain answer as well. */
export function asksForEventStream(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    accept
      .toLowerCase()
      .split(",")
      .some((entry) => names(entry, "text/event-stream"))
  );
}

/** Named with a quality of 0 it is refused. */
function names(entry: string, wanted: string): boolean {
  const [type, ...parameters] = entry.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  return type === wanted && (quality === undefined || Number(quality.slice(2)) > 0);
}
