// Prints every event once.
//
//   millrace events endpoints show hooks_main      prints the secret
//   node examples/receiver/main.ts whsec_…         listens on port 5005
//
// The address of the endpoint is then http://127.0.0.1:5005, and Millrace has to be allowed to call it:
//   MILLRACE_EGRESS_ALLOW=127.0.0.0/8 millrace start
import { createReceiver } from "./receiver.ts";

const [, , secret = "", port = "5005"] = process.argv;
if (!secret.startsWith("whsec_")) throw new Error("usage: node examples/receiver/main.ts whsec_… [port]");
createReceiver({
  secret,
  onEvent: ({ timestamp, type, data }) => console.log(timestamp, type, JSON.stringify(data)),
}).listen(Number(port), "127.0.0.1");
