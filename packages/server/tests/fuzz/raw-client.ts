import { connect } from "node:net";

/** A request down to its bytes: what a library would correct is sent as it is. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

const MAX_MS = 20_000;

export function requestBytes({ method, target, headers, body }: RawRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  // UTF-8 in the head is what careless clients send; Node reads it as Latin-1.
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines}\r\n`);
  return body ? Buffer.concat([head, body]) : head;
}

/** The answer, or the beginning of a stream; undefined where the connection ended without one. */
export function sendRaw(
  {
    address,
    bytes,
    isHead = false,
    from,
  }: { address: string; bytes: Buffer; isHead?: boolean; from?: string },
  maxMs = MAX_MS,
): Promise<RawAnswer | undefined> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, ...(from && { localAddress: from }) });
    let received = Buffer.alloc(0);
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within ${maxMs} ms`));
    }, maxMs);
    const finish = (answer: RawAnswer | undefined) => {
      clearTimeout(late);
      socket.destroy();
      resolve(answer);
    };
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answer = readAnswer(received, { isHead, ended: false });
      if (answer) finish(answer);
    });
    // A server that refuses a large body early closes while it is still being sent.
    socket.on("error", () => {});
    socket.on("close", () => finish(readAnswer(received, { isHead, ended: true })));
    socket.write(bytes);
  });
}

/** Whole answers, and streams as soon as they say something; interim answers are skipped. */
function readAnswer(
  received: Buffer,
  { isHead, ended }: { isHead: boolean; ended: boolean },
): RawAnswer | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [first = "", ...lines] = received.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? Number.NaN);
  const rest = received.subarray(headEnd + 4);
  if (status < 200) return readAnswer(rest, { isHead, ended });
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const answer = (bytes: Buffer) => ({ status, headers, text: bytes.toString() });
  if (isHead || status === 204) return answer(Buffer.alloc(0));
  const length = headers.get("content-length");
  if (length !== undefined)
    return rest.length >= Number(length) || ended ? answer(rest.subarray(0, Number(length))) : undefined;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const isWhole = rest.includes("\r\n0\r\n\r\n") || (isStream && rest.length > 0);
  return isWhole || ended ? answer(rest) : undefined;
}
