import type { Socket } from "node:net";
import { createTransport } from "nodemailer";
import { ForeignFault, type MailCall } from "./messages.ts";

const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 30_000;
const maxBytes = 128 * 1024;
const checkEveryMs = 50;

/** One message over one connection. Answers the Message-ID it was sent with. */
export async function sendMail(call: MailCall, socket: Socket, signal: AbortSignal): Promise<string> {
  const destroy = () => void socket.destroy();
  signal.addEventListener("abort", destroy, { once: true });
  // The library changes from the socket to TLS on its own; the socket counts for both.
  const limit = setInterval(() => socket.bytesRead > maxBytes && destroy(), checkEveryMs);
  const transport = createTransport(transportOptions(call, socket));
  try {
    const { messageId } = await transport.sendMail({
      ...call.mail,
      to: [...call.mail.to],
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return JSON.stringify({ messageId });
  } catch (error) {
    throw mailFault(error);
  } finally {
    clearInterval(limit);
    signal.removeEventListener("abort", destroy);
    transport.close();
  }
}

function transportOptions({ host, port, tls, login }: MailCall, socket: Socket) {
  return {
    host,
    port,
    secure: tls === "always",
    requireTLS: tls === "starttls",
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    getSocket: (_options: unknown, done: (error: null, socket: { connection: Socket }) => void) =>
      done(null, { connection: socket }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
  };
}

const faults: Record<string, [name: string, message: string]> = {
  EAUTH: ["MailServerRefused", "The mail server refused the credential."],
  ETLS: [
    "MailNotSecure",
    "The mail server offers no TLS that can be used. Set the credential's secure to true, or to false for a server without TLS.",
  ],
  EENVELOPE: ["MailRefused", "The mail server refused the sender or a recipient. Check `from` and `to`."],
  EMESSAGE: ["MailRefused", "The mail server refused the message."],
};

function mailFault(error: unknown): ForeignFault {
  const { code = "", responseCode = 0 } = error as { code?: string; responseCode?: number };
  if (responseCode >= 400 && responseCode < 500)
    return new ForeignFault("MailServerBusy", "The mail server asks to try again later.");
  const [name, message] = faults[code] ?? [
    "MailServerUnavailable",
    "The mail server could not be reached or broke the connection.",
  ];
  return new ForeignFault(name, message);
}
