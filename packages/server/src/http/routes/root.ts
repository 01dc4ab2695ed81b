import { z } from "zod";
import { defineRoute } from "../route.ts";

const data = z.strictObject({
  console: z.string().optional(),
  docs: z.string(),
  openapi: z.string(),
});

/** Where people and programs go from here. */
export const rootRoute = ({ hasConsole }: { hasConsole: boolean }) =>
  defineRoute({
    method: "GET",
    path: "/",
    name: "root",
    summary: "A browser is sent to the console, a program is told what there is",
    tag: "Service",
    access: "open",
    answers: {
      200: { description: "Where to go", schema: z.strictObject({ success: z.literal(true), data }) },
      302: { description: "For browsers: the console, or this API as a page" },
    },
    errors: [],
    handle({ raw }) {
      const headers = { vary: "accept" };
      if (raw.headers.accept?.includes("text/html"))
        return { status: 302, headers: { ...headers, location: hasConsole ? "/console" : "/docs" } };
      return {
        status: 200,
        headers,
        body: {
          success: true,
          data: { ...(hasConsole && { console: "/console" }), docs: "/docs", openapi: "/openapi.json" },
        },
      };
    },
  });
