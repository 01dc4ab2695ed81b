import { createServer, type Server, type Socket } from "node:net";

export interface Mail {
  readonly to: readonly string[];
  readonly source: string;
}

/** Pretends to be a mail server: it takes every mail, without TLS and without a login, and hands it to you. */
export function createPretendMail(onMail: (mail: Mail) => void): Server {
  return createServer((socket) => {
    socket.on("error", () => {});
    converse(socket, onMail);
  });
}

function converse(socket: Socket, onMail: (mail: Mail) => void): void {
  let to: string[] = [];
  let rest = "";
  let isMail = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const obey = (line: string): unknown => {
    const command = line.slice(0, 4).toUpperCase();
    if (command === "QUIT") return socket.end("221 bye\r\n");
    if (command === "MAIL") to = [];
    if (command === "RCPT") to.push(/<(.*)>/.exec(line)?.[1] ?? line);
    isMail = command === "DATA";
    return say(isMail ? "354 go on" : "250 ok");
  };
  say("220 pretend");
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    rest += chunk;
    for (;;) {
      const end = rest.indexOf(isMail ? "\r\n.\r\n" : "\r\n");
      if (end === -1) return;
      const unit = rest.slice(0, end);
      rest = rest.slice(end + (isMail ? 5 : 2));
      if (!isMail) obey(unit);
      else {
        isMail = false;
        onMail({ to, source: unit });
        say("250 taken");
      }
    }
  });
}
