// A Restate service whose handler has three durable steps; the server calls it over HTTP/2.
import { createServer } from "node:http2";
import * as restate from "@restatedev/restate-sdk";

const greeter = restate.service({
  name: "greeter",
  handlers: {
    greet: async (ctx, { name }) => {
      const greeting = await ctx.run("greet", () => ({ text: `Hello ${name}` }));
      const loud = await ctx.run("loud", () => ({ text: greeting.text.toUpperCase() }));
      return ctx.run("done", () => ({ text: loud.text, length: loud.text.length }));
    },
  },
});

const server = createServer(restate.createEndpointHandler({ services: [greeter], logger: () => {} }));
server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));
process.once("SIGTERM", () => process.exit());
