// A node:http server that turns every request away and does nothing else: the least that carrying them can cost.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const BODY = JSON.stringify({
  success: false,
  error: "Service unavailable",
  message: "The service cannot take more work at the moment. Please try again.",
  code: "service_unavailable",
});
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "content-length": String(BODY.length),
  "retry-after": "1",
  "x-request-id": "req_00000000000000000000000000",
};

const server = createServer((_request, response) => {
  response.writeHead(503, HEADERS);
  response.end(BODY);
});
server.listen({ host: "127.0.0.1", port: 0, backlog: 4_096 }, () => {
  console.log((server.address() as AddressInfo).port);
});
