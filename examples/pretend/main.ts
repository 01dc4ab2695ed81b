// The world around the examples: a payment provider and a model on port 4010, a mail server on port 4011.
//
//   npx node examples/pretend/main.ts
//
// Millrace has to be allowed to call them, because they are on this machine:
//   MILLRACE_EGRESS_ALLOW=127.0.0.0/8 npm start
import { createPretendHttp } from "./http.ts";
import { createPretendMail } from "./mail.ts";

createPretendHttp((charge) => console.log("charged", charge)).listen(4010, "127.0.0.1");
createPretendMail(({ to, source }) => console.log(`mail to ${to.join(", ")}\n${source}\n`)).listen(
  4011,
  "127.0.0.1",
);
console.log("payment and model: http://127.0.0.1:4010, mail: 127.0.0.1:4011");
