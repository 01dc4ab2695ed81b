import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
}

export interface SmtpServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  close(): Promise<void>;
}

/** A small SMTP server without TLS: one user (AUTH PLAIN), refuses recipients at `nowhere.example`. */
export async function startSmtpServer(login: { user: string; password: string }): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    converse(socket, login, (mail) => mails.push(mail));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    mails,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function converse(
  socket: Socket,
  login: { user: string; password: string },
  receive: (mail: ReceivedMail) => void,
): void {
  const expected = Buffer.from(`\0${login.user}\0${login.password}`).toString("base64");
  let from = "";
  let to: string[] = [];
  let buffered = "";
  let inData = false;
  const answer = (line: string) => socket.write(`${line}\r\n`);
  const obey = (line: string) => {
    const command = line.toUpperCase();
    if (command.startsWith("EHLO")) return answer("250-test\r\n250 AUTH PLAIN");
    if (command.startsWith("AUTH PLAIN"))
      return answer(line.slice(11) === expected ? "235 ok" : "535 bad credentials");
    if (command.startsWith("MAIL FROM:")) [from, to] = [line.slice(10), []];
    else if (command.startsWith("RCPT TO:")) {
      if (line.includes("@nowhere.example")) return answer("550 no such user");
      to.push(line.slice(8));
    } else if (command === "DATA") {
      inData = true;
      return answer("354 go on");
    } else if (command === "QUIT") return socket.end("221 bye\r\n");
    else return answer("502 not implemented");
    return answer("250 ok");
  };
  answer("220 test");
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    buffered += chunk;
    for (let end = endOf(buffered, inData); end !== -1; end = endOf(buffered, inData)) {
      const unit = buffered.slice(0, end);
      buffered = buffered.slice(end + (inData ? 5 : 2));
      if (!inData) obey(unit);
      else {
        inData = false;
        receive({ from, to, source: unit });
        answer("250 queued");
      }
    }
  });
}

function endOf(buffered: string, inData: boolean): number {
  return buffered.indexOf(inData ? "\r\n.\r\n" : "\r\n");
}
