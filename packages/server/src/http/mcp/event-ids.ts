/** Where a stream of an older client broke off, in the id of its last event: any process can go on from it. */
export interface CallPlace {
  /** Of the message that is still to be answered. */
  readonly requestId: string | number;
  /** The tool, which with the session names the run, until its id is known. */
  readonly tool: string;
  readonly runId?: string | undefined;
  /** Questions that were sent, by their ids. */
  readonly asked?: readonly string[];
}

const MAX_LENGTH = 8_192;

export function writeEventId(place: CallPlace, number: number): string {
  return `${Buffer.from(JSON.stringify(place)).toString("base64url")}.${number}`;
}

export function readEventId(text: string | undefined): CallPlace | undefined {
  if (text === undefined || text.length > MAX_LENGTH) return undefined;
  try {
    const place = JSON.parse(Buffer.from(text.split(".")[0]!, "base64url").toString()) as CallPlace;
    const { requestId, tool, runId, asked = [] } = place;
    const isPlace =
      (typeof requestId === "string" || Number.isInteger(requestId)) &&
      /^[A-Za-z0-9_-]{1,64}$/.test(tool) &&
      (runId === undefined || /^run_[A-Za-z0-9]{1,60}$/.test(runId)) &&
      Array.isArray(asked);
    return isPlace ? { requestId, tool, runId, asked } : undefined;
  } catch {
    return undefined;
  }
}
