import { once } from "node:events";
import { isIP, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { ForeignFault } from "./messages.ts";

const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const yes = "S".charCodeAt(0);

/** PostgreSQL's way to TLS, done before the driver sees the connection, so that it reads one kind of stream only. */
export async function startPostgresTls(socket: Socket, host: string, verify: boolean): Promise<TLSSocket> {
  socket.write(sslRequest);
  const answer = await firstBytes(socket);
  // More than the one byte would be what somebody slipped in before the encryption.
  if (answer.length !== 1 || answer[0] !== yes) throw noTls("The database offers no TLS that can be used.");
  const secure = connect({
    socket,
    host,
    rejectUnauthorized: verify,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  });
  try {
    await once(secure, "secureConnect");
  } catch {
    throw noTls("The certificate of the database is not trusted, or TLS failed.");
  }
  secure.on("error", () => {});
  return secure;
}

async function firstBytes(socket: Socket): Promise<Buffer> {
  const closed = once(socket, "close").then(() => [Buffer.alloc(0)]);
  const [bytes] = (await Promise.race([once(socket, "data"), closed])) as [Buffer];
  socket.pause();
  return bytes;
}

function noTls(message: string): ForeignFault {
  return new ForeignFault("DatabaseUnavailable", message);
}
