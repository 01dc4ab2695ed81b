import type { Socket } from "node:net";
import { drip, flood, startHostileServer, type HostileServer } from "./hostile-server.ts";

interface HostileSmtpScript {
  /** Instead of the greeting, and of everything after it. */
  readonly onConnect?: (socket: Socket) => void;
  /** Whether it has answered this command. */
  readonly onCommand?: (socket: Socket, command: string) => boolean;
}

/** A mail server that takes every mail, up to where the script takes over. */
export function hostileSmtp({ onConnect, onCommand }: HostileSmtpScript): Promise<HostileServer> {
  return startHostileServer((socket) => {
    if (onConnect) onConnect(socket);
    else socket.write("220 hostile\r\n");
    socket.on("data", (bytes: Buffer) => {
      const command = bytes.toString("latin1").slice(0, 4).toUpperCase().trim();
      if (onCommand?.(socket, command) || onConnect) return;
      if (command === "DATA") socket.write("354 go on\r\n");
      else if (command === "EHLO") socket.write("250-hostile\r\n250 STARTTLS\r\n");
      else socket.write("250 ok\r\n");
    });
  });
}

const on = (wanted: string, attack: (socket: Socket) => void): HostileSmtpScript => ({
  onCommand: (socket, command) => {
    if (command !== wanted) return false;
    attack(socket);
    return true;
  },
});

export const smtpAttacks: Record<string, HostileSmtpScript> = {
  "a greeting without end": { onConnect: (socket) => flood(socket, "220-", "x") },
  "greeting lines without end": { onConnect: (socket) => flood(socket, "", "220-hello\r\n") },
  "a greeting in small pieces": { onConnect: (socket) => drip(socket, () => "220-x\r\n", 1) },
  "a greeting without a line feed": { onConnect: (socket) => void socket.write("220 hello") },
  "a greeting of another protocol": { onConnect: (socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\n") },
  "no greeting": { onConnect: () => {} },
  "an end instead of a greeting": { onConnect: (socket) => void socket.end() },
  "extensions without end": on("EHLO", (socket) => flood(socket, "", "250-SIZE 1\r\n")),
  "an answer without end": on("EHLO", (socket) => flood(socket, "250-", Buffer.alloc(65_536, "x"))),
  "a million zero bytes": on("EHLO", (socket) => void socket.write(Buffer.alloc(1_000_000))),
  "garbage instead of TLS": on("STAR", (socket) => void socket.write("220 go\r\nnot TLS at all")),
  "TLS without end": on("STAR", (socket) => flood(socket, "220 go\r\n", Buffer.from([22, 3, 1, 0x40, 0]))),
  "a refusal without end": on("STAR", (socket) => flood(socket, "", "554-no\r\n")),
  "a reset": on("EHLO", (socket) => void socket.resetAndDestroy()),
};
