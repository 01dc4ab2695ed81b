import { request } from "node:http";

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

/** A request with exactly these headers, as no `fetch` would send it: Host, Origin and cookies of one's own. */
export async function sendRaw(
  address: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string | string[]>; body?: object } = {},
): Promise<BrowserAnswer> {
  const text = body && JSON.stringify(body);
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        path,
        method,
        agent: false,
        headers: {
          ...(text !== undefined && {
            "content-type": "application/json",
            "content-length": String(Buffer.byteLength(text)),
          }),
          ...headers,
        },
      },
      (answer) => {
        let received = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => (received += chunk));
        answer.on("end", () => {
          const isJson = answer.headers["content-type"]?.includes("json") && received !== "";
          resolve({
            status: answer.statusCode!,
            headers: answer.headers,
            body: isJson ? (JSON.parse(received) as unknown) : received,
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}

/** `name=value` of the cookie an answer sets. */
export function cookieOf({ headers }: BrowserAnswer): string {
  return String(headers["set-cookie"]).split(";")[0]!;
}
