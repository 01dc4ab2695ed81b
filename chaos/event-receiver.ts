import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Delivery {
  readonly organizationId: string;
  readonly webhookId: string;
  readonly atMs: number;
  readonly body: string;
  /** What it was answered; undefined: left hanging until the sender gave up. */
  readonly answered: number | undefined;
  readonly signed: boolean;
}

export interface EventReceiver {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Signing secrets by organization, known once the endpoints are made. */
  readonly secrets: Map<string, string>;
  mood: "well" | "failing" | "hanging";
  close(): Promise<void>;
}

/** Where events go: `POST /<organization>`. It keeps every try, and sometimes it is broken. */
export async function startEventReceiver(): Promise<EventReceiver> {
  const deliveries: Delivery[] = [];
  const secrets = new Map<string, string>();

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const organizationId = (request.url ?? "/").slice(1);
    const webhookId = String(request.headers["webhook-id"]);
    const signed = isSigned(request, body, secrets.get(organizationId));
    const answered = { well: 204, failing: 500, hanging: undefined }[receiver.mood];
    deliveries.push({ organizationId, webhookId, atMs: Date.now(), body, answered, signed });
    if (answered !== undefined) response.writeHead(answered).end();
    else setTimeout(() => response.destroy(), 4_000).unref();
  };
  const listener = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const receiver: EventReceiver = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    deliveries,
    secrets,
    mood: "well",
    close: async () => {
      listener.closeAllConnections();
      listener.close();
      await once(listener, "close");
    },
  };
  return receiver;
}

/** Standard Webhooks 1.0, checked without the service's own code. */
function isSigned({ headers }: IncomingMessage, body: string, secret: string | undefined): boolean {
  if (secret === undefined) return false;
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  return String(headers["webhook-signature"]).split(" ").includes(expected);
}
