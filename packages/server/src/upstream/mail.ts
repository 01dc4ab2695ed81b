import type { Socket } from "node:net";
import { createTransport } from "nodemailer";
import type { CredentialSecret } from "../domain/credential-secret.ts";
import { destroyOnAbort, type SocketDialer } from "./socket-dialer.ts";
import { UpstreamError } from "./upstream-error.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  /** The same for every attempt, so that a receiver can drop a repeated message. */
  readonly messageId: string;
}

/** One message over one connection. Answers the Message-ID it was sent with. */
export async function sendMail(
  dial: SocketDialer,
  server: CredentialSecret<"smtp">,
  mail: Mail,
  signal: AbortSignal,
): Promise<{ messageId: string }> {
  const socket = await dial.connect({ host: server.host, port: Number(server.port), signal });
  const stopListening = destroyOnAbort(socket, signal);
  const transport = createTransport(transportOptions(server, socket));
  try {
    const { messageId } = await transport.sendMail({
      ...mail,
      to: [...mail.to],
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return { messageId };
  } catch (error) {
    throw mailFailure(error);
  } finally {
    stopListening();
    transport.close();
    socket.destroy();
  }
}

function transportOptions(server: CredentialSecret<"smtp">, socket: Socket) {
  const secure = server.secure ?? (server.port === "465" ? "true" : "starttls");
  return {
    host: server.host,
    port: Number(server.port),
    secure: secure === "true",
    requireTLS: secure === "starttls",
    ...(server.user ? { auth: { user: server.user, pass: server.password ?? "" } } : {}),
    getSocket: (_options: unknown, done: (error: null, socket: { connection: Socket }) => void) =>
      done(null, { connection: socket }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
  };
}

const FAILURES: Record<string, [name: string, message: string]> = {
  EAUTH: ["MailServerRefused", "The mail server refused the credential."],
  ETLS: [
    "MailNotSecure",
    "The mail server offers no TLS that can be used. Set the credential's secure to true, or to false for a server without TLS.",
  ],
  EENVELOPE: ["MailRefused", "The mail server refused the sender or a recipient. Check `from` and `to`."],
  EMESSAGE: ["MailRefused", "The mail server refused the message."],
};

function mailFailure(error: unknown): UpstreamError {
  const { code = "" } = error as { code?: string };
  const [name, message] = FAILURES[code] ?? [
    "MailServerUnavailable",
    "The mail server could not be reached or broke the connection.",
  ];
  return new UpstreamError(name, message);
}
